#pragma once

#include <span>
#include <vector>

// The CPUs on which the calling thread may run (its affinity mask). The C library's masks have room
// for 1,024 CPUs, and the kernel refuses a mask smaller than its own: these have room for 8,192,
// the most that Linux supports. Thread-safe.

namespace schedbench::platform {

// Returns their numbers, ascending; none, with the reason in errno, if the system call is refused.
std::vector<int> AllowedCpuNumbers();

// Lets the calling thread run only on these CPUs. Returns false and sets errno if it is refused.
bool RunOnlyOn(std::span<const int> cpus) noexcept;

}  // namespace schedbench::platform
