#pragma once

// Replaces src/platform/time/clock.hpp for simulated time: the clock of the calling core.

#include "simulation/machine/machine.hpp"

#include <cstdint>

namespace schedbench::platform {

inline std::uint64_t NowNs() noexcept {
  return sim_scaling::Machine::Instance().NowNs();
}

inline std::uint64_t BetweenNs(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
  return end_ns - begin_ns;
}

inline std::uint64_t ElapsedNs(std::uint64_t begin_ns) noexcept {
  return NowNs() - begin_ns;
}

inline void SleepUntilNs(std::uint64_t ns) noexcept {
  sim_scaling::Machine::Instance().SleepUntil(ns);
}

inline std::uint64_t ThreadCpuNs(int /*thread*/) noexcept {
  return 0;
}

class TickClock {
 public:
  static std::uint64_t Now() noexcept {
    return NowNs();
  }

  static double NsPerTick() noexcept {
    return 1.0;
  }
};

}  // namespace schedbench::platform
