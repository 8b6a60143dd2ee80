#pragma once

// Stands in for src/platform/time/clock.hpp in programs whose time is simulated: the clock of the calling core.

#include "simulation/machine/machine.hpp"

#include <cstdint>

namespace schedbench::platform {

inline std::uint64_t NowNs() noexcept {
  return sim_scaling::Machine::Instance().NowNs();
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
