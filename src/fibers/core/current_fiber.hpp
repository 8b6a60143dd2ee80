#pragma once

#include <cstdint>

namespace schedbench::fibers {

// The id of the fiber that calls, 0 where no fiber does. Never stale: it is read from the thread at each call, and
// the call cannot be inlined.
std::uint64_t CurrentFiberId() noexcept;

}  // namespace schedbench::fibers
