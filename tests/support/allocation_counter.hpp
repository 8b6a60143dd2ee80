#pragma once

#include <cstdint>

namespace schedbench::tests {

// How often memory was allocated in this process so far, by any thread. Link allocation_counter.cpp
// into the test binary: it takes the place of malloc and its family, or, under a sanitizer, which
// has put its own there, hooks into that.
std::uint64_t Allocations() noexcept;

}  // namespace schedbench::tests
