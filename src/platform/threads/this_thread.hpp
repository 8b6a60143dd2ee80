#pragma once

#include <cstdint>

namespace schedbench::platform {

// The kernel's number of this process. Async-signal-safe, as the others here.
int ProcessId() noexcept;

// The kernel's number of the calling thread. A system call.
int KernelThreadId() noexcept;

// The CPU that the calling thread is on, or was a moment ago.
std::uint32_t CurrentCpu() noexcept;

}  // namespace schedbench::platform
