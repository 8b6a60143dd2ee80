#pragma once

#include "executors/scheduler_side.hpp"
#include "executors/task_source.hpp"
#include "fibers/core/execution_context.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/core/task_context.hpp"
#include "platform/signals/machine_state.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <cstdint>

namespace schedbench::fibers {

class Fiber;

// The fibers' side of an operating system thread: which call stack and which fiber it runs now.
//
// A thread runs fibers in one of two ways.
//   Serving  A worker thread gives itself to RunLoop(): from then on it is always on some fiber stack, and
//            goes from fiber to fiber by one switch, without a detour over a stack of its own.
//   Hosting  Other code calls Run() of a fiber from its own stack: a ManualExecutor, a strand, the main
//            thread. The fiber gets a fiber stack, and when it suspends or ends, the call returns.
// Both can nest: a fiber of a worker may drain a ManualExecutor.
//
// Used only by the thread that it belongs to.
class FiberThread {
 public:
  // The FiberThread of the calling thread, made at the first call. Never keep it over a switch.
  static FiberThread* Current() noexcept;

  // The same, or null: the thread has run no fiber yet. Contains a call that is never inlined, which CallOverSwitch()
  // needs.
  SB_ALWAYS_INLINE static FiberThread* CurrentOrNull() noexcept {
    const executors::SchedulerSide side;
    return OfThread::Get();
  }

  // The running fiber of the calling thread, or null.
  static Fiber* CurrentFiber() noexcept;

  // What the calling thread runs on, or null: its own stack. For reports; async-signal-safe.
  static const FiberStack* CurrentFiberStack() noexcept;

  // What the calling thread does where it runs no fiber. For reports; async-signal-safe.
  static executors::WorkerActivity CurrentActivity() noexcept;

  // Runs the tasks of `source` until it returns null from PickTask(). Stacks come from `pool`.
  // Requires: the thread does not serve already.
  static void RunLoop(executors::ITaskSource& source, StackPool& pool) noexcept;

  ~FiberThread();
  FiberThread(const FiberThread&) = delete;
  FiberThread& operator=(const FiberThread&) = delete;

  // ---- For forks ----

  // The fiber stack that the thread runs in its own loop; null while it hosts, or runs none.
  SB_ALWAYS_INLINE const FiberStack* Served() const noexcept {
    return host_ == nullptr ? running_ : nullptr;
  }

  // ---- For FiberStack::Loop ----

  // Whose tasks the thread runs. Requires: it serves.
  executors::ITaskSource& Source() noexcept {
    return *source_;
  }

  // Returns the fiber stack that the thread runs. Requires: it runs one.
  FiberStack& Running() noexcept {
    return *running_;
  }

  // The task to run in the loop that asks; null when the loop is to end.
  SB_ALWAYS_INLINE executors::TaskBase* NextTask() noexcept {
    executors::TaskBase* task = handed_;
    handed_ = nullptr;
    if (task == nullptr && host_ == nullptr) [[likely]] {
      task = source_->PickTask();
      if (task != nullptr) [[likely]] {
        // Where it suspended, that is recorded already.
        source_->TraceSwitch(task, trace::StopReason::kEnded);
      }
    }
    from_loop_ = task != nullptr && task->kind != executors::TaskKind::kPlain ? task : nullptr;
    return task;
  }

  // Reports the end of a picked task to the task source. No effect in a hosted fiber.
  SB_ALWAYS_INLINE void TaskEnded() noexcept {
    if (host_ == nullptr) [[likely]] {
      source_->TaskDone(true);
    }
  }

  // Recycles `idle` and switches back to the host, or to the thread's own stack. Returns when the
  // fiber stack is taken out of a cache again.
  void LeaveLoop(FiberStack& idle) noexcept;

  // Identifies this thread's tasks to those that wait for them: the caller of the hosted fiber, else all that wait for
  // the executor.
  const void* Waiters() const noexcept {
    const executors::SchedulerSide side;
    return host_ != nullptr ? static_cast<const void*>(this) : &source_->Executor();
  }

  // ---- For Fiber and FiberStack ----

  // Whether Run() of `task` was called straight from a loop, with nothing in between. Asked once a run.
  SB_ALWAYS_INLINE bool IsCalledFromLoop(const executors::TaskBase* task) noexcept {
    const executors::SchedulerSide side;
    const bool called = from_loop_ == task;
    from_loop_ = nullptr;
    return called;
  }

  // Recycles the calling loop's stack and resumes `suspended`. Returns when the loop is resumed.
  void ResumeFromLoop(FiberStack& suspended) noexcept;

  // Runs a new fiber, or resumes a suspended one, from the calling stack, until it suspends or ends.
  void Host(Fiber& fresh) noexcept;
  void Host(FiberStack& suspended) noexcept;

  // Takes the running fiber off the thread and continues with something else; runs `then(&suspension)` when the
  // fiber is off. Returns when the fiber is resumed, perhaps by another thread. Sets `suspension.fiber`. By
  // CallOverSwitch(), with CurrentOrNull().
  static void Suspend(FiberThread* current, AfterSwitch then, Suspension* suspension) noexcept;

  // The running fiber yields: it is submitted to its executor again with the hint Yield.
  static void Yield() noexcept;

  // The running fiber yields if its time slice is over. No effect outside of fibers, and where preemption is not allowed.
  SB_ALWAYS_INLINE static void PreemptPoint() noexcept {
    FiberThread* const current = CurrentOrNull();
    if (current != nullptr && current->source_ != nullptr &&
        current->source_->PreemptionRequested()) [[unlikely]] {
      current->Preempt();
    }
  }

  // Whether the calling thread runs a fiber that is to be preempted, and may be where it was interrupted: in code of a
  // SCHEDBENCH_PREEMPTIBLE function, with room on its stack, and not in a NoPreempt scope. Async-signal-safe.
  static bool MayPreemptAt(const platform::MachineState& interrupted) noexcept;

  // The running fiber was interrupted there: it yields. This thread resumes it. Keeps errno.
  static void PreemptBySignal() noexcept;

  // The running fiber is about to block the thread: another thread may take over the worker. Returns whether the caller has to
  // call EndBlocking(). False also outside of fibers, in hosted fibers, and with schedulers that do not hand off workers.
  static bool BeginBlocking(executors::BlockingCall call) noexcept;

  // The blocking call has returned. The fiber continues on a worker, perhaps on another thread.
  static void EndBlocking() noexcept;

 private:
  using OfThread = platform::ThreadLocalPtr<FiberThread, FiberThread>;

  explicit FiberThread(StackPool& pool) noexcept;

  // Leaves `from` for `to`; this thread's state must already be that of `to`.
  SB_ALWAYS_INLINE void SwitchTo(ExecutionContext& from, ExecutionContext& to, AfterSwitch then,
                                 void* argument) noexcept {
    Switch(from, to, exceptions_, *this, then, argument);
  }

  // What a fiber leaves to be done when it is off its stack.
  struct SwitchRequest {
    AfterSwitch then;
    void* argument;
    [[no_unique_address]] AfterSwitchContext context;
  };

  // The thread goes over to a suspended fiber. Requires: it serves.
  SB_ALWAYS_INLINE void Resume(FiberStack& suspended) noexcept {
    running_ = &suspended;
    if (suspended.last_thread != thread_number_) [[unlikely]] {
      source_->Migrated();
    }
    suspended.last_thread = 0;
  }

  SB_NOINLINE void Preempt() noexcept;
  void HostOn(FiberStack& target) noexcept;
  void SuspendAndRun(executors::TaskBase* next, trace::StopReason why, AfterSwitch then,
                     void* argument, AfterSwitchContext context) noexcept;
  void SuspendHosted(AfterSwitch then, void* argument, AfterSwitchContext context) noexcept;

  static void Recycle(void* fiber_stack, FiberThread& fiber_thread) noexcept;

  const std::uint64_t thread_number_;
  executors::ITaskSource* source_ = nullptr;  // null: this thread does not serve
  ExecutionContext* host_ = nullptr;          // not null: hosting, and this is where to return
  FiberStack* running_ = nullptr;             // null: on the thread's own stack
  executors::TaskBase* handed_ = nullptr;     // for the loop that is being resumed
  executors::TaskBase* from_loop_ = nullptr;  // the fiber whose Run() the loop is about to call
  ExceptionsContext* const exceptions_;
  ExecutionContext thread_;  // of the thread's own stack, while it serves
  StackCache stacks_;
};

}  // namespace schedbench::fibers
