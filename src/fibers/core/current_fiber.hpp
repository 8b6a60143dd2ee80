#pragma once

#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

// The id of the fiber that calls, 0 where no fiber does. Never stale: it is read from the thread at each call, and
// the call cannot be inlined.
std::uint64_t CurrentFiberId() noexcept;

// The name of the fiber that calls (FiberOptions); "" where it has none or no fiber calls. Valid as long as the fiber lives: a
// name never changes, because reports on hangs and crashes read it at any time.
std::string_view CurrentFiberName() noexcept;

}  // namespace schedbench::fibers
