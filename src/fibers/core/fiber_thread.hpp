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

// The call stack and fiber of an operating system thread, for that thread only. It runs fibers in
// one of two ways, which can nest: a worker's fiber may drain a ManualExecutor.
//   Serving  A worker thread calls RunLoop(). From then on it is always on some fiber stack and
//            switches from fiber to fiber directly, without passing through its own stack.
//   Hosting  Other code calls Run() of a fiber from its own stack: a ManualExecutor, a strand, the
//            main thread. The fiber gets a fiber stack; the call returns when it suspends or ends.
class FiberThread {
 public:
  // Returns the calling thread's FiberThread, made at first use. Never keep it over a switch.
  static FiberThread* Current() noexcept;

  // Returns the FiberThread of the calling thread, or null if it has not run a fiber yet. Contains
  // a call that is never inlined, which CallOverSwitch() needs.
  SB_ALWAYS_INLINE static FiberThread* CurrentOrNull() noexcept {
    const executors::SchedulerSide side;
    return OfThread::Get();
  }

  // Returns the running fiber of the calling thread, or null.
  static Fiber* CurrentFiber() noexcept;

  // Returns the fiber stack of the calling thread, or null on its own stack. Async-signal-safe.
  static const FiberStack* CurrentFiberStack() noexcept;

  // Returns what the calling thread does outside of fibers. For reports; async-signal-safe.
  static executors::WorkerActivity CurrentActivity() noexcept;

  // Runs the tasks of `source` until it returns null from PickTask(). Stacks come from `pool`.
  // Requires: the thread does not serve already.
  static void RunLoop(executors::ITaskSource& source, StackPool& pool) noexcept;

  ~FiberThread();
  FiberThread(const FiberThread&) = delete;
  FiberThread& operator=(const FiberThread&) = delete;

  // ---- For forks ----

  // Returns the fiber stack that the thread runs in its own loop; null while it hosts or runs none.
  SB_ALWAYS_INLINE const FiberStack* Served() const noexcept {
    return host_ == nullptr ? running_ : nullptr;
  }

  // ---- For FiberStack::Loop ----

  // Returns the source of the thread's tasks. Requires: the thread serves.
  executors::ITaskSource& Source() noexcept {
    return *source_;
  }

  // Returns the fiber stack that the thread runs. Requires: it runs one.
  FiberStack& Running() noexcept {
    return *running_;
  }

  // Returns the next task for the calling loop; null if the loop has to end.
  SB_ALWAYS_INLINE executors::TaskBase* NextTask() noexcept {
    executors::TaskBase* task = handed_;
    handed_ = nullptr;
    if (task == nullptr && host_ == nullptr) [[likely]] {
      task = source_->PickTask();
      if (task != nullptr) [[likely]] {
        // A suspended fiber has recorded its stop already.
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

  // Identifies the thread's tasks to those that wait for them: the caller of the hosted fiber,
  // otherwise all that wait for the executor.
  const void* Waiters() const noexcept {
    const executors::SchedulerSide side;
    return host_ != nullptr ? static_cast<const void*>(this) : &source_->Executor();
  }

  // ---- For Fiber and FiberStack ----

  // Returns whether a loop itself called Run() of `task`. Call it once per run.
  SB_ALWAYS_INLINE bool IsCalledFromLoop(const executors::TaskBase* task) noexcept {
    const executors::SchedulerSide side;
    const bool called = from_loop_ == task;
    from_loop_ = nullptr;
    return called;
  }

  // Recycles the calling loop's stack and resumes `suspended`. Returns when the loop is resumed.
  void ResumeFromLoop(FiberStack& suspended) noexcept;

  // Runs `fresh`, which the running fiber joins and which has not started, on the running fiber's
  // stack, to its end: no switch, and no other stack. Returns false, and runs nothing, if another
  // thread may run it, other tasks are due, or too much of the stack is in use. `waiting`: the wait
  // of the running fiber, for reports.
  static bool TryRunInline(Fiber& fresh, Waiting waiting) noexcept;

  // Returns the state of the C++ runtime for the exceptions of the running stack.
  ExceptionsContext& Exceptions() noexcept {
    return *exceptions_;
  }

  // Runs a new or suspended fiber from the calling stack until the fiber suspends or ends.
  void Host(Fiber& fresh) noexcept;
  void Host(FiberStack& suspended) noexcept;

  // Takes the running fiber off the thread, runs `then(&suspension)` when it is off, and continues
  // with other work. Returns when the fiber is resumed, perhaps by another thread. Sets
  // `suspension.fiber`. Call it by CallOverSwitch() with CurrentOrNull().
  static void Suspend(FiberThread* current, AfterSwitch then, Suspension* suspension) noexcept;

  // Submits the running fiber to its executor again with the hint Yield.
  static void Yield() noexcept;

  // Yields if a fiber runs, its time slice is over and preemption is allowed.
  SB_ALWAYS_INLINE static void PreemptPoint() noexcept {
    FiberThread* const current = CurrentOrNull();
    if (current != nullptr && current->source_ != nullptr &&
        current->source_->PreemptionRequested()) [[unlikely]] {
      current->Preempt();
    }
  }

  // Returns whether the calling thread's fiber is to be preempted and the interrupted code allows
  // it: a SCHEDBENCH_PREEMPTIBLE function with room on its stack, outside of NoPreempt.
  // Async-signal-safe.
  static bool MayPreemptAt(const platform::MachineState& interrupted) noexcept;

  // Yields in the running fiber that a signal interrupted. This thread resumes it. Keeps errno.
  static void PreemptBySignal() noexcept;

  // Announces that the running fiber will block the thread, so that another thread may take over
  // the worker. Returns whether the caller has to call EndBlocking(): not outside of fibers, in
  // hosted fibers, and with schedulers that do not hand off workers.
  static bool BeginBlocking(executors::BlockingCall call) noexcept;

  // Ends the blocking call. The fiber continues on a worker, perhaps on another thread.
  static void EndBlocking() noexcept;

 private:
  using OfThread = platform::ThreadLocalPtr<FiberThread, FiberThread>;

  explicit FiberThread(StackPool& pool) noexcept;

  // Leaves `from` for `to`; this thread's state must already match `to`.
  SB_ALWAYS_INLINE void SwitchTo(ExecutionContext& from, ExecutionContext& to, AfterSwitch then,
                                 void* argument) noexcept {
    Switch(from, to, exceptions_, *this, then, argument);
  }

  // The work that a fiber requests for the time when it is off its stack.
  struct SwitchRequest {
    AfterSwitch then;
    void* argument;
    [[no_unique_address]] AfterSwitchContext context;
  };

  // Makes a suspended fiber the running one. Requires: the thread serves.
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
  executors::ITaskSource* source_ = nullptr;  // null if the thread does not serve
  ExecutionContext* host_ = nullptr;       // where a hosted fiber returns to; null if not hosting
  FiberStack* running_ = nullptr;          // null on the thread's own stack
  executors::TaskBase* handed_ = nullptr;  // the first task for the resumed loop
  executors::TaskBase* from_loop_ = nullptr;  // the fiber whose Run() the loop is about to call
  ExceptionsContext* const exceptions_;
  ExecutionContext thread_;  // the thread's own stack, while it serves
  StackCache stacks_;
};

}  // namespace schedbench::fibers
