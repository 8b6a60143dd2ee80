#pragma once

// Replaces src/base/spin_wait.hpp in programs whose time is simulated.

#include "simulation/machine/machine.hpp"

#include <cstdint>

namespace schedbench {

inline void CpuRelax() noexcept {
  sim_scaling::Machine::Instance().Pause();
}

inline void YieldThread() noexcept {
  sim_scaling::Machine::Instance().YieldCpu();
}

// Acts like the real one: first pauses, then system calls.
class SpinWait {
 public:
  void Spin(std::uint32_t pauses = 1) noexcept {
    if (Exhausted()) {
      YieldThread();
      return;
    }
    spins_ += pauses;
    for (std::uint32_t i = 0; i < pauses; ++i) {
      CpuRelax();
    }
  }

  bool Exhausted() const noexcept {
    return spins_ >= kSpins;
  }

 private:
  static constexpr std::uint32_t kSpins = 100;

  std::uint32_t spins_ = 0;
};

}  // namespace schedbench
