#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "executors/executor.hpp"
#include "trace/tracer.hpp"

#include <cstdint>

namespace schedbench::executors {

// The activity of a worker outside of fibers.
enum class WorkerActivity : std::uint8_t {
  kRun,     // runs plain tasks, or code between two tasks
  kSearch,  // searches for a task
  kSteal,   // searches in the queues of other workers
  kPark,    // sleeps, or is going to sleep or waking
};

// The expected duration of a call that may block its thread in the kernel.
enum class BlockingCall : std::uint8_t {
  kLong,   // blocks: another thread takes over the worker at once
  kShort,  // hardly ever blocks: another thread takes over the worker if it does
};

// The interface of a worker for the loop that runs its tasks. The loop runs each task that a Pick
// method returned once and then calls TaskDone() once, after all submits of the task; for a fiber
// that suspends, after its part up to there. Only the worker's thread calls it.
class ITaskSource {
 public:
  // `executor`: receives the tasks of this source.
  explicit ITaskSource(IExecutor& executor) noexcept
      : executor_(executor) {
  }

  // Returns a task, after blocking until there is one. Null: the worker has to end.
  virtual TaskBase* PickTask() noexcept = 0;

  // Returns a ready task, or null; it neither searches nor blocks. Called in the middle of a task.
  virtual TaskBase* TryPickTask() noexcept = 0;

  // Takes `task` back that the running task has submitted, so that the caller runs it at once.
  // Counts what TaskDone(false) and a pick count: the running task waits for it, as if it had
  // suspended. Returns false if it is not at hand, or if other tasks are due first.
  virtual bool TryTakeBack(TaskBase* /*task*/) noexcept {
    return false;
  }

  // Counts the end of a task that was taken back, perhaps by another source. The task that waited
  // for it continues, as a part of the same run.
  virtual void TaskDoneInline() noexcept {
    SB_ASSERT(false, "this source takes no task back");
  }

  // Counts that a picked task has run. `ended`: false for a fiber that suspended.
  virtual void TaskDone(bool ended) noexcept = 0;

  // Returns whether a yielding task may continue after TryPickTask() has returned null. False if
  // another thread waits for the end of this task and only that thread can run the other tasks.
  virtual bool MayRunAgain() const noexcept {
    return true;
  }

  // Lets a running task continue that yielded while TryPickTask() returned null. It counts as a
  // submit and a pick.
  virtual void RunAgain() noexcept = 0;

  // Starts a blocking call of the running fiber. Null: the worker stays with the thread. Otherwise
  // the thread leaves the worker to other threads, and runs with the returned source until
  // EndBlocking(). It may suspend the fiber before: then the thread may have changed.
  virtual ITaskSource* BeginBlocking(BlockingCall /*call*/) noexcept {
    return nullptr;
  }

  // Ends the blocking call and returns the source to continue with. Null: the thread does not have
  // a worker, and the fiber must be submitted again.
  virtual ITaskSource* EndBlocking() noexcept {
    return this;
  }

  // Requests that the fiber yields at a preemption point. If late, it meets the next fiber. Any
  // thread.
  void RequestPreemption() noexcept {
    preemption_requested_.Store(true, memory_order_relaxed);
  }

  // Returns whether RequestPreemption() was called for the current task. Only the thread itself.
  SB_ALWAYS_INLINE bool PreemptionRequested() const noexcept {
    return preemption_requested_.Load(memory_order_relaxed);
  }

  // Ends and counts a request for which the fiber yields. `by_signal`: not at a preemption point.
  virtual void Preempted(bool /*by_signal*/) noexcept {
    EndPreemptionRequest();
  }

  // Submits a fiber that a signal interrupted. Only this thread may resume it.
  virtual void SubmitPinned(TaskBase* /*task*/) noexcept {
    SB_ASSERT(false, "no thread of this scheduler is interrupted");
  }

  // Counts a fiber that resumes here and ran on another thread before.
  virtual void Migrated() noexcept {
  }

  // Returns the executor that receives the tasks of this source. Any thread.
  const IExecutor& Executor() const noexcept {
    return executor_;
  }

  // Returns whether Executor() is `executor`. Any thread.
  bool BelongsTo(const IExecutor& executor) const noexcept {
    return &executor_ == &executor;
  }

  // Returns the last argument of SetActivity(), for a sampler of the thread. Any thread.
  WorkerActivity CurrentActivity() const noexcept {
    return activity_.Load(memory_order_relaxed);
  }

  // Returns the recorder of the thread's events. Used by the thread, and by the loop for it.
  trace::Tracer& Tracing() noexcept {
    return tracer_;
  }

  // Records that the thread now runs `next`, or its loop if null, and why the previous one stopped.
  SB_ALWAYS_INLINE void TraceSwitch(const TaskBase* next, trace::StopReason why) noexcept {
    if (tracer_.IsOn()) [[unlikely]] {
      RecordSwitch(next, why);
    }
  }

  // Records the wait of the running fiber, before it suspends. `kind`: a fibers::WaitKind.
  SB_ALWAYS_INLINE void TraceWait(const void* object, std::uint8_t kind) noexcept {
    if (tracer_.IsOn()) [[unlikely]] {
      RecordWait(object, kind);
    }
  }

 protected:
  ~ITaskSource() = default;

  // Ends the request, because another task runs. Only the thread itself.
  void EndPreemptionRequest() noexcept {
    preemption_requested_.Store(false, memory_order_relaxed);
  }

  // Records the thread's activity for samplers and timelines. A worker calls it before it searches,
  // steals and parks, and with kRun before its next task.
  void SetActivity(WorkerActivity activity) noexcept {
    if (tracer_.IsOn()) [[unlikely]] {
      RecordActivity(CurrentActivity(), activity);
    }
    activity_.Store(activity, memory_order_relaxed);
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

  // The end of a task is not recorded at once: if another is ready, one switch reports both.
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
  Atomic<WorkerActivity> activity_{WorkerActivity::kRun};  // relaxed: only for reports
  Atomic<bool> preemption_requested_{false};               // relaxed: nothing else depends on it
  bool runs_in_trace_ = false;  // the last recorded switch was to a task; only the thread uses it
  trace::Tracer tracer_;
};

}  // namespace schedbench::executors
