#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace schedbench::platform {

// Copies memory of this process that may not be there: by the kernel, which refuses instead of faulting. Where it
// may not (some sandboxes), by plain loads. Some hundred nanoseconds. Returns whether all of it could be read.
// Async-signal-safe.
bool SafeRead(std::uintptr_t from, void* to, std::size_t bytes) noexcept;

// Whether the kernel does it. Where not, memory that may be gone at any time should not be read.
bool SafeReadIsSafe() noexcept;

template <typename T>
bool SafeRead(std::uintptr_t from, T& to) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  return SafeRead(from, &to, sizeof(T));
}

// Copies a string as far as it can be read and fits, and ends it with 0. Async-signal-safe.
void SafeReadString(std::uintptr_t from, std::span<char> to) noexcept;

}  // namespace schedbench::platform
