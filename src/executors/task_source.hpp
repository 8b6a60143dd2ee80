#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "executors/executor.hpp"
#include "trace/tracer.hpp"

#include <cstdint>

namespace schedbench::executors {

// What a worker does while it runs no fiber.
enum class WorkerActivity : std::uint8_t {
  kRun,     // tasks that are no fibers, and what lies between two tasks
  kSearch,  // it has no task, and looks for one
  kSteal,   // the same, in what other workers have
  kPark,    // it sleeps, or is on the way to sleep or back
};

// What is known of a call that may block its thread in the kernel.
enum class BlockingCall : std::uint8_t {
  kLong,   // it blocks: another thread takes over the worker at once
  kShort,  // it hardly ever blocks: another thread takes over the worker if it does
};

// The inside of a worker, as seen by the loop that runs its tasks. Each task that the two Pick methods
// return is run once, and then TaskDone() is called once, after all that the task submitted; or, when a fiber suspends,
// after its part up to there.
// Called only by the thread that the worker belongs to.
class ITaskSource {
 public:
  // `executor`: where tasks of this source are submitted to.
  explicit ITaskSource(IExecutor& executor) noexcept
      : executor_(executor) {
  }

  // Returns a task; blocks until there is one. Null: the worker is to end.
  virtual TaskBase* PickTask() noexcept = 0;

  // Returns a task that is at hand, or null: does not search, let alone block.
  // Called in the middle of a task, which has not ended yet.
  virtual TaskBase* TryPickTask() noexcept = 0;

  // Counts that a picked task has run. `ended`: not so a fiber that has suspended, and whose next part is another task.
  virtual void TaskDone(bool ended) noexcept = 0;

  // Returns whether a running task that yields may continue when TryPickTask() has returned null. False where other tasks wait
  // that only another thread can run, and that thread waits for the end of this one.
  virtual bool MayRunAgain() const noexcept {
    return true;
  }

  // Lets the running task continue, which yielded while TryPickTask() returned null. Counts as if it had been submitted and
  // picked again.
  virtual void RunAgain() noexcept = 0;

  // The running fiber is about to block the thread. Null: with the worker. Else the thread leaves the worker to other threads,
  // and runs with the returned source until EndBlocking(). May suspend the fiber before: the thread is then another one.
  virtual ITaskSource* BeginBlocking(BlockingCall /*call*/) noexcept {
    return nullptr;
  }

  // The blocking call of the running fiber has returned. Returns the source to continue with. Null: the thread has no worker,
  // and the fiber must be submitted again.
  virtual ITaskSource* EndBlocking() noexcept {
    return this;
  }

  // The running fiber is to yield at its next preemption point. Any thread; a request that comes late meets the next fiber.
  void RequestPreemption() noexcept {
    preemption_requested_.Store(true, memory_order_relaxed);  // relaxed: nothing else depends on it
  }

  // Whether RequestPreemption() was called since the last task was picked. The thread itself.
  SB_ALWAYS_INLINE bool PreemptionRequested() const noexcept {
    return preemption_requested_.Load(memory_order_relaxed);  // relaxed: as above
  }

  // The running fiber yields because of a request: ends the request and counts it. `by_signal`: not at a preemption point.
  virtual void Preempted(bool /*by_signal*/) noexcept {
    EndPreemptionRequest();
  }

  // A fiber that was interrupted by a signal is ready, and is to be resumed by this thread only.
  virtual void SubmitPinned(TaskBase* /*task*/) noexcept {
    SB_ASSERT(false, "no thread of this scheduler is interrupted");
  }

  // Counts a fiber that resumes here and has run on another thread before.
  virtual void Migrated() noexcept {
  }

  // The executor that tasks of this source are submitted to. Any thread.
  const IExecutor& Executor() const noexcept {
    return executor_;
  }

  // Whether that executor is `executor`. Any thread.
  bool BelongsTo(const IExecutor& executor) const noexcept {
    return &executor_ == &executor;
  }

  // Returns what the thread does: the last argument of SetActivity(). For a sampler that has interrupted it. Any thread.
  WorkerActivity CurrentActivity() const noexcept {
    return activity_.Load(memory_order_relaxed);  // relaxed: a word for reports
  }

  // Where the thread's events are recorded: by the thread, and by the loop for it.
  trace::Tracer& Tracing() noexcept {
    return tracer_;
  }

  // Records that the thread runs `next` from now on, null: its loop; and why what it ran has stopped.
  SB_ALWAYS_INLINE void TraceSwitch(const TaskBase* next, trace::StopReason why) noexcept {
    if (tracer_.IsOn()) [[unlikely]] {
      RecordSwitch(next, why);
    }
  }

  // Records what the running fiber begins to wait for, before the switch that suspends it. `kind`: a fibers::WaitKind.
  SB_ALWAYS_INLINE void TraceWait(const void* object, std::uint8_t kind) noexcept {
    if (tracer_.IsOn()) [[unlikely]] {
      RecordWait(object, kind);
    }
  }

 protected:
  ~ITaskSource() = default;

  // Another task runs. The thread itself.
  void EndPreemptionRequest() noexcept {
    preemption_requested_.Store(false, memory_order_relaxed);  // relaxed: as in RequestPreemption()
  }

  // Records what the thread does from now on, for samplers and timelines. A worker calls it before it searches, steals and
  // parks, and with kRun before its next task.
  void SetActivity(WorkerActivity activity) noexcept {
    if (tracer_.IsOn()) [[unlikely]] {
      RecordActivity(CurrentActivity(), activity);
    }
    activity_.Store(activity, memory_order_relaxed);  // relaxed: a word for reports
  }

 private:
  SB_NOINLINE void RecordSwitch(const TaskBase* next, trace::StopReason why) noexcept {
    if (next != nullptr) {
      tracer_.Record(trace::EventKind::kSwitch, next->trace_number,
                     trace::SwitchArg(why, next->trace_label));
    } else {
      tracer_.Record(trace::EventKind::kSwitch, trace::kNoFiber,
                     trace::SwitchArg(why, trace::kNoLabel));
    }
    runs_in_trace_ = next != nullptr;
  }

  SB_NOINLINE void RecordWait(const void* object, std::uint8_t kind) noexcept {
    tracer_.Record(trace::EventKind::kWait, trace::ObjectNumber(object), kind);
  }

  // A task that has ended is not recorded at once: where the next one is at hand, one switch reports both.
  SB_NOINLINE void RecordActivity(WorkerActivity before, WorkerActivity now) noexcept {
    using trace::EventKind;
    if (before == WorkerActivity::kRun && now != WorkerActivity::kRun && runs_in_trace_) {
      RecordSwitch(nullptr, trace::StopReason::kEnded);
    }
    if (before == WorkerActivity::kPark && now != WorkerActivity::kPark) {
      tracer_.Record(EventKind::kUnpark);
    } else if (before == WorkerActivity::kRun && now != WorkerActivity::kPark &&
               now != WorkerActivity::kRun) {
      tracer_.Record(EventKind::kSearchBegin);
    } else if (before != WorkerActivity::kRun && now == WorkerActivity::kRun) {
      tracer_.Record(EventKind::kSearchEnd, 0, 1);
    }
    if (now == WorkerActivity::kPark && before != WorkerActivity::kPark) {
      tracer_.Record(EventKind::kPark);
    }
  }

  IExecutor& executor_;
  Atomic<WorkerActivity> activity_{WorkerActivity::kRun};
  Atomic<bool> preemption_requested_{false};
  bool runs_in_trace_ = false;  // the last switch that was recorded was to a task; by the thread
  trace::Tracer tracer_;
};

}  // namespace schedbench::executors
