#pragma once

#include "base/attributes.hpp"

namespace schedbench::platform {

// A pointer that each thread has its own of; `Tag` distinguishes the variables. Safe around stack
// switches: a fiber may resume on another thread, and compilers keep the address of a thread_local
// variable across calls (llvm#98479 and the like), so that each read is a call that cannot be inlined, nor
// taken for one without effect. A value must not be kept over a switch.
template <typename T, typename Tag>
class ThreadLocalPtr {
 public:
  SB_NOINLINE SB_NO_TSAN static T* Get() noexcept {
    asm volatile("" ::: "memory");
    return value_;
  }

  SB_NOINLINE SB_NO_TSAN static void Set(T* value) noexcept {
    asm volatile("" ::: "memory");
    value_ = value;
  }

 private:
  static inline constinit thread_local T* value_ = nullptr;
};

}  // namespace schedbench::platform
