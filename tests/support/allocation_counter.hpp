#pragma once

#include <cstdint>

namespace schedbench::tests {

// How often memory was allocated in this process so far, by any thread. Link allocation_counter.cpp into the
// test binary: it replaces malloc and its family, or, under a sanitizer, which has its own malloc in their
// place, operator new.
std::uint64_t Allocations() noexcept;

}  // namespace schedbench::tests
