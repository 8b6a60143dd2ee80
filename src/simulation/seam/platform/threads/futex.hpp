#pragma once

// Replaces src/platform/threads/futex.hpp in programs whose time is simulated.

#include "base/atomic.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::platform {

inline constexpr std::uint32_t kWakeAll = 0x7fffffff;

inline bool FutexWaitTicks(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                           std::uint64_t limit_ns) noexcept {
  auto& machine = sim_scaling::Machine::Instance();
  // relaxed: no other simulated thread runs between this and the sleep.
  const std::uint32_t value = word.Load(memory_order_relaxed);
  return machine.FutexWait(&word, value, expected, limit_ns);
}

inline void FutexWait(const Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  FutexWaitTicks(word, expected, sim_scaling::Machine::kNoLimit);
}

inline bool FutexWaitFor(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                         std::chrono::nanoseconds timeout) noexcept {
  const bool ends = timeout < std::chrono::hours(24);
  return timeout > std::chrono::nanoseconds::zero() &&
         FutexWaitTicks(
             word, expected,
             ends ? static_cast<std::uint64_t>(timeout.count()) : sim_scaling::Machine::kNoLimit);
}

inline void FutexWake(const Atomic<std::uint32_t>& word, std::uint32_t count) noexcept {
  sim_scaling::Machine::Instance().FutexWake(&word, count);
}

}  // namespace schedbench::platform
