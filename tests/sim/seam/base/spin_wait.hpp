#pragma once

// Stands in for src/base/spin_wait.hpp on the simulated machine.

#include "tests/sim/machine/machine.hpp"

#include <cstdint>

namespace schedbench {

inline void CpuRelax() noexcept {
}

inline void YieldThread(sim::Place where = sim::Place::current()) noexcept {
  sim::Machine::Instance().Spin(where);
}

// A thread that spins waits until another has written something. One that may block instead does so
// at once: the shortest spin is as good as any.
class SpinWait {
 public:
  void Spin(std::uint32_t /*pauses*/ = 1, sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().Spin(where);
  }

  bool Exhausted() const noexcept {
    return true;
  }
};

}  // namespace schedbench
