#pragma once

// Stands in for src/platform/time/clock.hpp on the simulated machine: a clock that ticks when it is
// read.

#include "tests/sim/machine/machine.hpp"

#include <cstdint>

namespace schedbench::platform {

inline std::uint64_t NowNs(sim::Place where = sim::Place::current()) noexcept {
  return sim::Machine::Instance().Clock(where);
}

inline std::uint64_t BetweenNs(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
  return end_ns - begin_ns;
}

inline std::uint64_t ElapsedNs(std::uint64_t begin_ns,
                               sim::Place where = sim::Place::current()) noexcept {
  return NowNs(where) - begin_ns;
}

inline std::uint64_t ProcessCpuNs() noexcept {
  return NowNs();
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
