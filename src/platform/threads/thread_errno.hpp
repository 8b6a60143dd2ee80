#pragma once

#include "base/attributes.hpp"

#include <cerrno>

namespace schedbench::platform {

// Access errno of the current thread. Functions that can switch stacks use these two instead of
// errno: a fiber may continue on another thread, and compilers keep the address of errno from
// before the switch (glibc declares it constant). A call that is neither inlined nor considered
// without effect reads it anew. Read errno before a possible switch.
SB_NOINLINE inline int ThreadErrno() noexcept {
  asm volatile("" ::: "memory");
  return errno;
}

SB_NOINLINE inline void SetThreadErrno(int value) noexcept {
  asm volatile("" ::: "memory");
  errno = value;
}

}  // namespace schedbench::platform
