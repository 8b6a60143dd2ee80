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

// Lets a fiber go to another thread at each yield, and compares what the accessors of the project
// see with the truth. Compiled three times: into an executable, into a shared library, and with
// -flto.
StaleCounts CountStaleReads();

// Sends the numbers below `count` from one fiber to another, which waits for each, and returns
// their sum. The code that waits is compiled here; only the stub of the switch is in the program.
std::uint64_t SumOfReceived(std::uint64_t count);

}  // namespace schedbench::tests
