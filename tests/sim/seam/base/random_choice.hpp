#pragma once

// Stands in for src/base/random_choice.hpp on the simulated machine.

#include "tests/sim/machine/machine.hpp"

#include <cstdint>

namespace schedbench {

// The strategy of the exploration chooses.
class RandomChoice {
 public:
  explicit RandomChoice(std::uint64_t /*seed*/) noexcept {
  }

  std::uint32_t Below(std::uint32_t count) noexcept {
    return count < 2 ? 0 : sim::Machine::Instance().Draw(count);
  }
};

}  // namespace schedbench
