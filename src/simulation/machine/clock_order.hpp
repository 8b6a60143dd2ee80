#pragma once

#include "simulation/machine/lines.hpp"

#include <array>
#include <cstdint>

namespace sim_scaling {

// Finds the waiting thread with the earliest time: a tournament tree. Of two threads with the same
// time it finds the one with the lower number.
class ClockOrder {
 public:
  static constexpr Time kNever = ~Time{0};

  ClockOrder() noexcept {
    Clear();
  }

  void Clear() noexcept {
    times_.fill(kNever);
    for (std::size_t i = kLeaves - 1; i > 0; --i) {
      winners_[i] =
          i >= kLeaves / 2 ? static_cast<std::uint16_t>(2 * i - kLeaves) : winners_[2 * i];
    }
  }

  // Sets the time of a thread; kNever: it does not wait.
  void Set(unsigned thread, Time time) noexcept {
    times_[thread] = time;
    for (std::size_t i = (thread + kLeaves) / 2; i > 0; i /= 2) {
      const std::uint16_t left =
          i >= kLeaves / 2 ? static_cast<std::uint16_t>(2 * i - kLeaves) : winners_[2 * i];
      const std::uint16_t right =
          i >= kLeaves / 2 ? static_cast<std::uint16_t>(left + 1) : winners_[2 * i + 1];
      winners_[i] = times_[right] < times_[left] ? right : left;
    }
  }

  unsigned First() const noexcept {
    return winners_[1];
  }
  Time FirstTime() const noexcept {
    return times_[winners_[1]];
  }

 private:
  static constexpr std::uint32_t kLeaves = 2048;
  static_assert(kMaxCores <= kLeaves);

  std::array<Time, kLeaves> times_;
  std::array<std::uint16_t, kLeaves> winners_;  // from 1: the root
};

}  // namespace sim_scaling
