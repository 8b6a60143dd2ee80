#pragma once

#include "base/attributes.hpp"

namespace schedbench::platform {

// A pointer with a value for each thread; `Tag` distinguishes the variables. Safe around stack
// switches: a fiber may resume on another thread, and compilers keep the address of a thread_local
// variable across calls (llvm#98479 and others), so each read is a call that is neither inlined nor
// considered without effect. Do not keep a value over a switch.
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
