#pragma once

#include "base/spin_wait.hpp"

#include <cstdint>

namespace schedbench {

// Spins for a short time on a condition, before the caller blocks.
class BriefSpin {
 public:
  // Most pauses between two reads. Each read takes the cache line from its present user.
  static constexpr std::uint32_t kClosely = 1;
  static constexpr std::uint32_t kLoosely = 8;

  explicit BriefSpin(std::uint32_t longest_step) noexcept
      : longest_step_(longest_step) {
  }

  // Pauses, longer each time, and returns true; returns false once the time is used up.
  bool TryPause() noexcept {
    if (left_ < step_) {
      return false;
    }
    left_ -= step_;
    for (std::uint32_t i = 0; i < step_; ++i) {
      CpuRelax();
    }
    step_ = step_ < longest_step_ ? 2 * step_ : longest_step_;
    return true;
  }

 private:
  // 1-3 us with pauses of 20 to 50 ns, as on Zen and since Skylake: the cost to suspend a fiber,
  // wake it and steal it. With shorter pauses it is less, and more waits end in a suspension.
  static constexpr std::uint32_t kPauses = 64;

  const std::uint32_t longest_step_;
  std::uint32_t left_ = kPauses;
  std::uint32_t step_ = 1;
};

}  // namespace schedbench
