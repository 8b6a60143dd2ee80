#pragma once

// Replaces workloads/parts/spin_work.hpp for simulated time: the work takes its intended time.

#include "simulation/machine/machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace schedbench::workloads {

class SpinWork {
 public:
  constexpr explicit SpinWork(std::uint64_t ns) noexcept
      : ns_(ns) {
  }

  static constexpr SpinWork OfSteps(std::uint64_t steps) noexcept {
    return SpinWork(steps);
  }

  // A step takes a nanosecond.
  constexpr std::uint64_t Steps() const noexcept {
    return ns_;
  }

  static SpinWork Lasting(double ns) {
    return SpinWork(static_cast<std::uint64_t>(std::round(ns)));
  }

  static constexpr double LeastNs() noexcept {
    return 0;
  }

  constexpr double Ns() const noexcept {
    return static_cast<double>(ns_);
  }

  void Do() const noexcept {
    sim_scaling::Machine& machine = sim_scaling::Machine::Instance();
    machine.Work(std::max(0.0, static_cast<double>(ns_) + machine.CostsOfRun().step));
  }

 private:
  std::uint64_t ns_;
};

}  // namespace schedbench::workloads
