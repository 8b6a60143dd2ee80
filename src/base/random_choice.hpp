#pragma once

#include "base/random.hpp"

#include <cstdint>

namespace schedbench {

// A random choice among ways that are all right: the models try each of them in turn. About a
// nanosecond per choice. Not thread-safe.
class RandomChoice {
 public:
  explicit RandomChoice(std::uint64_t seed) noexcept
      : random_(seed) {
  }

  // Returns a number below `count`, which is at least 1, by multiplication and not by division (D.
  // Lemire, 2019). Some numbers come more often than others, by less than one part in 2^32 / count.
  std::uint32_t Below(std::uint32_t count) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{random_.Next()} * count) >> 32U);
  }

 private:
  QuickRandom random_;
};

}  // namespace schedbench
