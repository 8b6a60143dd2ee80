#pragma once

#include <cstdint>

namespace schedbench::platform {

// The kernel's number of this process. Async-signal-safe, as the others here but OwnStack().
int ProcessId() noexcept;

// The kernel's number of the calling thread. A system call.
int KernelThreadId() noexcept;

// The memory of a stack.
struct StackBounds {
  std::uintptr_t lowest = 0;
  std::uintptr_t top = 0;  // one past it; 0: not known
};

// Returns the calling thread's own stack. Not async-signal-safe.
StackBounds OwnStack() noexcept;

// The CPU that the calling thread is on, or was a moment ago.
std::uint32_t CurrentCpu() noexcept;

}  // namespace schedbench::platform
