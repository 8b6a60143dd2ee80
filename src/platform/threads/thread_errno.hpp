#pragma once

#include "base/attributes.hpp"

#include <cerrno>

namespace schedbench::platform {

// errno of the thread that runs the caller now. In a function that can switch stacks use these two instead of errno
// itself: a fiber may continue on another thread, and compilers keep the address of errno from before the switch (glibc
// declares it constant). A call that cannot be inlined, nor taken for one without effect, asks anew each time.
// What errno says belongs to the last failed call: read it before anything that can switch.
SB_NOINLINE inline int ThreadErrno() noexcept {
  asm volatile("" ::: "memory");
  return errno;
}

SB_NOINLINE inline void SetThreadErrno(int value) noexcept {
  asm volatile("" ::: "memory");
  errno = value;
}

}  // namespace schedbench::platform
