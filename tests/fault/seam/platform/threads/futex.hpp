#pragma once

// Stands in the place of src/platform/threads/futex.hpp for the tests under tests/fault: a wait may
// return at any time, as the kernel is free to let it.

#include "base/atomic.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::platform {

// src/platform/threads/futex.cpp, compiled under these names.
void RealFutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
bool RealFutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                      std::chrono::nanoseconds timeout) noexcept;
void RealFutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count) noexcept;

#if !defined(SCHEDBENCH_REAL_FUTEX)
inline void FutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  const fault::Point point;
  if (!fault::WaitReturnsEarly()) {
    RealFutexWait(word, expected);
  }
}

inline bool FutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                         std::chrono::nanoseconds timeout) noexcept {
  const fault::Point point;
  return timeout > std::chrono::nanoseconds::zero() && fault::WaitReturnsEarly()
             ? true
             : RealFutexWaitFor(word, expected, timeout);
}

inline void FutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count) noexcept {
  const fault::Point point;
  RealFutexWake(word, count);
}
#endif

inline constexpr std::uint32_t kWakeAll = 0x7fffffff;

}  // namespace schedbench::platform
