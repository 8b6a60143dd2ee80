#pragma once

#include <cstdint>

namespace schedbench::platform {

// Returns the kernel's number of this process. All functions here except OwnStack() are
// async-signal-safe.
int ProcessId() noexcept;

// Returns the kernel's number of the calling thread by a system call.
int KernelThreadId() noexcept;

// The memory of a stack.
struct StackBounds {
  std::uintptr_t lowest = 0;
  std::uintptr_t top = 0;  // one past it; 0 if unknown
};

// Returns the calling thread's own stack. Not async-signal-safe.
StackBounds OwnStack() noexcept;

// Returns the CPU of the calling thread, now or a moment ago.
std::uint32_t CurrentCpu() noexcept;

}  // namespace schedbench::platform
