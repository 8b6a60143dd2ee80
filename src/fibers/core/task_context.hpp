#pragma once

#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"
#include "executors/task.hpp"
#include "fibers/core/fiber_stack.hpp"

#include <cerrno>
#include <cstdint>

// The contexts to which a strict ThreadSanitizer (executors::TasksAreUnordered()) attributes accesses: each task and each fiber
// has its own, whatever stack it runs on. The stack's own context is left to the loop at its base, which is always on the
// scheduler's side. Empty in builds without it.
//
// A context is entered and left in one function, inlined: its shadow stack must be level.
namespace schedbench::fibers {

#if defined(SB_TSAN)
// On a thread that begins or resumes a task: its errno is new to that task. Other thread-locals are not. No call of it
// may be moved over a switch (platform/threads/thread_errno.hpp).
SB_NOINLINE inline void ForgetErrno() noexcept {
  asm volatile("" ::: "memory");
  constexpr std::uintptr_t kGranule = 8;
  const auto address = reinterpret_cast<std::uintptr_t>(&errno);
  executors::ForgetMemory(reinterpret_cast<const void*>(address / kGranule * kGranule), kGranule);
}
#endif

// Of a task or fiber, from its begin to its end.
class TaskContext {
 public:
  // In the loop of `stack`, before it runs `task`. A suspended fiber continues in the context that it has.
  SB_ALWAYS_INLINE void Begin([[maybe_unused]] const executors::TaskBase& task,
                              [[maybe_unused]] FiberStack& stack) noexcept {
#if defined(SB_TSAN)
    if (!executors::TasksAreUnordered() || task.kind == executors::TaskKind::kSuspendedFiber) {
      return;
    }
    stack_ = &stack.context.sanitizer;
    stack_->ForgetUnusedStack(kForgotten);
    executors::ForgetMemory(static_cast<const executors::TaskBase*>(&stack), sizeof(task));
    ForgetErrno();
    loop_ = __tsan_get_current_fiber();
    own_ = __tsan_create_fiber(0);  // after nothing: on the scheduler's side it has no parent
    __tsan_switch_to_fiber(own_, __tsan_switch_to_fiber_no_sync);
    executors::HappensAfter(task);
#endif
  }

  // In a fiber that continues, on the scheduler's side.
  SB_ALWAYS_INLINE static void Continue([[maybe_unused]] const FiberStack& own) noexcept {
#if defined(SB_TSAN)
    if (executors::TasksAreUnordered()) {
      ForgetErrno();
      const executors::UserSide user;
      executors::HappensAfter(own);
    }
#endif
  }

  // The task has run; `waiters`: FiberThread::Waiters().
  SB_ALWAYS_INLINE void End([[maybe_unused]] const void* waiters) noexcept {
#if defined(SB_TSAN)
    if (own_ != nullptr) {
      executors::HappensBefore(waiters);
      __tsan_switch_to_fiber(loop_, __tsan_switch_to_fiber_no_sync);
      __tsan_destroy_fiber(own_);
      // Signal handlers are looked at on the scheduler's side too, and may run on the loop's stack.
      stack_->ForgetUnusedStack(kForgotten);
    }
#endif
  }

#if defined(SB_TSAN)
 private:
  static constexpr std::size_t kForgotten = 65536;  // deeper than any test goes

  SanitizerContext* stack_ = nullptr;
  void* loop_ = nullptr;
  void* own_ = nullptr;
#endif
};

// Of what a fiber has done for it after it is off its stack (AfterSwitch); README.md explains why it is not the fiber's. Not
// made: that is done on the scheduler's side.
class AfterSwitchContext {
 public:
  // In the fiber, on the user's side: a context that is made there comes after all that the fiber did.
  SB_ALWAYS_INLINE void Make() noexcept {
#if defined(SB_TSAN)
    if (executors::TasksAreUnordered()) {
      own_ = __tsan_create_fiber(0);
    }
#endif
  }

  // Calls then(argument, fiber thread) on the entered stack. Once. `stack`: that stack; null where a caller waits on it, which
  // comes after all this anyway. `waiters`: FiberThread::Waiters().
  SB_ALWAYS_INLINE void Run(AfterSwitch then, void* argument, FiberThread& fiber_thread,
                            [[maybe_unused]] SanitizerContext* stack,
                            [[maybe_unused]] const void* waiters) const noexcept {
#if defined(SB_TSAN)
    void* const own = own_;
    if (own != nullptr) {
      constexpr std::size_t kForgotten = 16384;
      if (stack != nullptr) {
        stack->ForgetUnusedStack(kForgotten);  // frames of calls that have returned there
      }
      void* const outer = __tsan_get_current_fiber();
      __tsan_switch_to_fiber(own, __tsan_switch_to_fiber_no_sync);
      then(argument, fiber_thread);
      executors::HappensBefore(waiters);
      __tsan_switch_to_fiber(outer, __tsan_switch_to_fiber_no_sync);
      __tsan_destroy_fiber(own);
      if (stack != nullptr) {
        stack->ForgetUnusedStack(kForgotten);
      }
      return;
    }
#endif
    then(argument, fiber_thread);
  }

#if defined(SB_TSAN)
 private:
  void* own_ = nullptr;
#endif
};

}  // namespace schedbench::fibers
