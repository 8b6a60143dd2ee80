#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace schedbench::platform {

// Copies memory of this process that may not exist: by the kernel, which refuses instead of
// faulting, or, if sandboxes forbid that, by plain loads. Returns whether all of it could be read.
// Some hundred nanoseconds. Async-signal-safe.
bool SafeRead(std::uintptr_t from, void* to, std::size_t bytes) noexcept;

// Returns whether the kernel does it. Otherwise do not read memory that may be gone at any time.
bool SafeReadIsSafe() noexcept;

template <typename T>
bool SafeRead(std::uintptr_t from, T& to) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  return SafeRead(from, &to, sizeof(T));
}

// Copies the readable part of a string that fits, and ends it with 0. Async-signal-safe.
void SafeReadString(std::uintptr_t from, std::span<char> to) noexcept;

}  // namespace schedbench::platform
