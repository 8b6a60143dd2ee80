#pragma once

// Stands in for src/platform/threads/futex.hpp on the simulated machine.

#include "base/atomic.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::platform {

inline constexpr std::uint32_t kWakeAll = 0x7fffffff;

inline void FutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                      sim::Place where = sim::Place::current()) noexcept {
  sim::Machine::Instance().FutexWait(word.Value().Word(), expected, false, where);
}

// A day stands for forever: no code may rely on it.
inline bool FutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                         std::chrono::nanoseconds timeout,
                         sim::Place where = sim::Place::current()) noexcept {
  const bool ends = timeout < std::chrono::hours(24);
  return timeout > std::chrono::nanoseconds::zero() &&
         sim::Machine::Instance().FutexWait(word.Value().Word(), expected, ends, where);
}

// The word may be gone, as for the kernel: its memory is looked at, its life is not.
inline void FutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count,
                      sim::Place where = sim::Place::current()) noexcept {
  sim::Machine::Instance().FutexWake(word.Value().Word(), count, where);
}

}  // namespace schedbench::platform
