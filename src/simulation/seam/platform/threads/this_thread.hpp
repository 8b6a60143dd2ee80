#pragma once

// Replaces src/platform/threads/this_thread.hpp.

namespace schedbench::platform {

inline int KernelThreadId() noexcept {
  return 1;
}

}  // namespace schedbench::platform
