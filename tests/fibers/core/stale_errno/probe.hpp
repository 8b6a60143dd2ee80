#pragma once

#include <cstdint>

namespace schedbench::tests {

struct StaleCounts {
  std::uint64_t reads = 0;
  std::uint64_t migrations = 0;
  std::uint64_t stale_errno = 0;    // by the accessor
  std::uint64_t stale_pointer = 0;  // by platform::ThreadLocalPtr
  std::uint64_t stale_naive =
      0;  // of a plain errno: shows that there is something to guard against
};

// Lets a fiber go to another thread at each yield, and compares what the accessors of the project see with the
// truth. Compiled three times: into an executable, into a shared library, and with -flto.
StaleCounts CountStaleReads();

}  // namespace schedbench::tests
