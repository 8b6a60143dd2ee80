#pragma once

// Stands in for src/base/brief_spin.hpp on the simulated machine.

namespace schedbench {

// What comes while it would spin comes in another execution before it looks.
class BriefSpin {
 public:
  static constexpr int kClosely = 1;
  static constexpr int kLoosely = 8;

  explicit BriefSpin(int /*longest_step*/) noexcept {
  }

  bool TryPause() noexcept {
    return false;
  }
};

}  // namespace schedbench
