#pragma once

// Stands in for workloads/parts/spin_work.hpp in programs whose time is simulated: the work takes the time that it is
// to take.

#include "tests/sim/scaling/machine/machine.hpp"

#include <cstdint>

namespace schedbench::workloads {

class SpinWork {
 public:
  explicit SpinWork(std::uint64_t ns) noexcept
      : ns_(ns) {
  }

  void Do() const noexcept {
    sim_scaling::Machine::Instance().Work(static_cast<double>(ns_));
  }

 private:
  std::uint64_t ns_;
};

}  // namespace schedbench::workloads
