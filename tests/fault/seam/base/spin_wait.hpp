#pragma once

// Stands in the place of src/base/spin_wait.hpp for the tests under tests/fault.

#include "base/attributes.hpp"
#include "tests/fault/disturbance.hpp"

#include <cstdint>

namespace schedbench {

SB_ALWAYS_INLINE void CpuRelax() noexcept {
  const fault::Point point;
}

// Defined in platform/threads/thread.cpp.
void YieldThread() noexcept;

class SpinWait {
 public:
  void Spin(std::uint32_t /*pauses*/ = 1) noexcept {
    if (spins_ < kSpins) {
      ++spins_;
      CpuRelax();
    } else {
      YieldThread();
    }
  }

  bool Exhausted() const noexcept {
    return spins_ >= kSpins;
  }

 private:
  // Few, so that what comes after is met often.
  static constexpr std::uint32_t kSpins = 4;

  std::uint32_t spins_ = 0;
};

}  // namespace schedbench
