#pragma once

#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

// Returns the id of the calling fiber, or 0 outside of fibers. The call is not inlined and reads
// the thread each time, so the id is correct also after a switch.
std::uint64_t CurrentFiberId() noexcept;

// Returns the name of the calling fiber (FiberOptions), or "" for an unnamed fiber and outside of
// fibers. Valid as long as the fiber lives. A name never changes: reports read it at any time.
std::string_view CurrentFiberName() noexcept;

}  // namespace schedbench::fibers
