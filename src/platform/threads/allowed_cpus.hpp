#pragma once

#include <span>
#include <vector>

// The CPUs on which the calling thread may run (its affinity mask). The masks of the C library have
// room for 1,024 CPUs, and the kernel refuses a mask that is smaller than its own: these have room
// for 8,192, the most that Linux supports. Thread-safe.

namespace schedbench::platform {

// Returns their numbers, ascending; none if the system call is refused, with the reason in errno.
std::vector<int> AllowedCpuNumbers();

// Lets the calling thread run on these CPUs only. Returns false if the kernel refuses it, with the
// reason in errno.
bool RunOnlyOn(std::span<const int> cpus) noexcept;

}  // namespace schedbench::platform
