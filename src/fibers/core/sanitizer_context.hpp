#pragma once

#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"

#include <cstddef>

#if defined(SB_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(SB_TSAN)
#include <sanitizer/tsan_interface.h>

#include <algorithm>
#endif

namespace schedbench::fibers {

// The sanitizers' state of a call stack, and the calls that report a switch to them. Empty in other
// builds. Before() and After() frame the jump and must be inlined next to it: a return between them
// would pop the shadow stack of the wrong fiber (clang then crashes in __tsan_func_exit).
class SanitizerContext {
 public:
  // Starts the state of a stack that the project has made.
  void Create([[maybe_unused]] void* lowest, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(SB_ASAN)
    lowest_ = lowest;
    bytes_ = bytes;
#endif
#if defined(SB_TSAN)
    fiber_ = __tsan_create_fiber(0);
    created_ = fiber_;
    lowest_ = static_cast<char*>(lowest);
    if (executors::TasksAreUnordered()) {
      void* const maker = __tsan_get_current_fiber();
      __tsan_switch_to_fiber(fiber_, __tsan_switch_to_fiber_no_sync);
      executors::SchedulerSide::Enter();
      __tsan_switch_to_fiber(maker, __tsan_switch_to_fiber_no_sync);
    }
#endif
  }

  // Starts the state of the running stack.
  void Adopt() noexcept {
#if defined(SB_TSAN)
    fiber_ = __tsan_get_current_fiber();
#endif
  }

  // Ends the state of a stack that Create() started and that no thread will run again.
  void Destroy() noexcept {
#if defined(SB_ASAN)
    __asan_unpoison_memory_region(lowest_, bytes_);
#endif
#if defined(SB_TSAN)
    if (fiber_ != created_) {
      Destroy(fiber_);  // the context of a fiber that never ends
    }
    Destroy(created_);
#endif
  }

  // Reports the start of a switch. The left stack calls it.
  SB_ALWAYS_INLINE void Before([[maybe_unused]] SanitizerContext& to) noexcept {
#if defined(SB_ASAN)
    __sanitizer_start_switch_fiber(&fake_stack_, to.lowest_, to.bytes_);
#endif
#if defined(SB_TSAN)
    fiber_ = __tsan_get_current_fiber();  // the stack's own context, or a task's (task_context.hpp)
    // 0: the switch also synchronises the two stacks, which is true on one thread.
    __tsan_switch_to_fiber(to.fiber_,
                           executors::TasksAreUnordered() ? __tsan_switch_to_fiber_no_sync : 0);
#endif
  }

  // Reports the end of a switch. The entered stack calls it; `from` is the left stack. A thread's
  // own stack gets its bounds when it is left for the first time.
  SB_ALWAYS_INLINE void After([[maybe_unused]] SanitizerContext& from) noexcept {
#if defined(SB_ASAN)
    __sanitizer_finish_switch_fiber(fake_stack_, &from.lowest_, &from.bytes_);
#endif
  }

#if defined(SB_TSAN)
  // Declares the memory below the caller's frame new, at most `bytes` because it takes time. The
  // caller runs on this stack, which Create() started.
  SB_NOINLINE void ForgetUnusedStack(std::size_t bytes) noexcept {
    char* const end = static_cast<char*>(__builtin_frame_address(0));
    char* const begin = std::max(lowest_, end - bytes);
    executors::ForgetMemory(begin, static_cast<std::size_t>(end - begin));
  }
#endif

 private:
#if defined(SB_TSAN)
  // Destroys a context that was left on the scheduler's side.
  static void Destroy(void* fiber) noexcept {
    if (executors::TasksAreUnordered()) {
      void* const destroyer = __tsan_get_current_fiber();
      __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
      executors::SchedulerSide::Leave();
      __tsan_switch_to_fiber(destroyer, __tsan_switch_to_fiber_no_sync);
    }
    __tsan_destroy_fiber(fiber);
  }
#endif

#if defined(SB_ASAN)
  void* fake_stack_ = nullptr;
  const void* lowest_ = nullptr;
  std::size_t bytes_ = 0;
#endif
#if defined(SB_TSAN)
  void* fiber_ = nullptr;    // the context to switch to: the stack's own, or a task's
  void* created_ = nullptr;  // the stack's own context
  char* lowest_ = nullptr;
#endif
};

}  // namespace schedbench::fibers
