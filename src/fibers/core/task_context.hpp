#pragma once

#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"
#include "executors/task.hpp"
#include "fibers/core/fiber_stack.hpp"

#include <cerrno>
#include <cstdint>

// Contexts to which a strict ThreadSanitizer (executors::TasksAreUnordered()) attributes accesses.
// Each task and each fiber has its own, independent of its stack. The loop at the base of a stack
// uses the stack's own context, which is always on the scheduler's side. Empty in builds without
// it. One inlined function enters and leaves a context, because its shadow stack must be level.
namespace schedbench::fibers {

#if defined(SB_TSAN)
// Makes errno, but no other thread-local, new for the task that the thread starts or resumes. The
// compiler must not move a call of it over a switch (platform/threads/thread_errno.hpp).
SB_NOINLINE inline void ForgetErrno() noexcept {
  asm volatile("" ::: "memory");
  constexpr std::uintptr_t kGranule = 8;
  const auto address = reinterpret_cast<std::uintptr_t>(&errno);
  executors::ForgetMemory(reinterpret_cast<const void*>(address / kGranule * kGranule), kGranule);
}
#endif

// The context of a task or fiber, from its start to its end.
class TaskContext {
 public:
  // Starts the context for `task` in the loop of `stack`. A suspended fiber keeps its context.
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
    own_ = __tsan_create_fiber(0);  // on the scheduler's side: no parent, so it comes after nothing
    __tsan_switch_to_fiber(own_, __tsan_switch_to_fiber_no_sync);
    executors::HappensAfter(task);
#endif
  }

  // Continues the context of a resumed fiber. The caller is on the scheduler's side.
  SB_ALWAYS_INLINE static void Continue([[maybe_unused]] const FiberStack& own) noexcept {
#if defined(SB_TSAN)
    if (executors::TasksAreUnordered()) {
      ForgetErrno();
      const executors::UserSide user;
      executors::HappensAfter(own);
    }
#endif
  }

  // Ends the context after the task's run. `waiters`: FiberThread::Waiters().
  SB_ALWAYS_INLINE void End([[maybe_unused]] const void* waiters) noexcept {
#if defined(SB_TSAN)
    if (own_ != nullptr) {
      executors::HappensBefore(waiters);
      __tsan_switch_to_fiber(loop_, __tsan_switch_to_fiber_no_sync);
      __tsan_destroy_fiber(own_);
      // Signal handlers are checked on the scheduler's side too, and may run on the loop's stack.
      stack_->ForgetUnusedStack(kForgotten);
    }
#endif
  }

#if defined(SB_TSAN)
 private:
  static constexpr std::size_t kForgotten = 65536;  // deeper than any test

  SanitizerContext* stack_ = nullptr;
  void* loop_ = nullptr;
  void* own_ = nullptr;
#endif
};

// The context of the work done for a fiber after it is off its stack (AfterSwitch). README.md
// explains why the fiber's own context is not used. Without Make(), it is on the scheduler's side.
class AfterSwitchContext {
 public:
  // Makes the context, which follows all of the fiber. The fiber calls it on the user's side.
  SB_ALWAYS_INLINE void Make() noexcept {
#if defined(SB_TSAN)
    if (executors::TasksAreUnordered()) {
      own_ = __tsan_create_fiber(0);
    }
#endif
  }

  // Calls then(argument, fiber thread) once on the entered stack. `stack`: that stack, or null if a
  // caller waits on it, which comes after all this anyway. `waiters`: FiberThread::Waiters().
  SB_ALWAYS_INLINE void Run(AfterSwitch then, void* argument, FiberThread& fiber_thread,
                            [[maybe_unused]] SanitizerContext* stack,
                            [[maybe_unused]] const void* waiters) const noexcept {
#if defined(SB_TSAN)
    void* const own = own_;
    if (own != nullptr) {
      constexpr std::size_t kForgotten = 16384;
      if (stack != nullptr) {
        stack->ForgetUnusedStack(kForgotten);  // frames of finished calls there
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
