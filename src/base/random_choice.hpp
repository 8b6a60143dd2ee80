#pragma once

#include "base/random.hpp"

#include <cstdint>

namespace schedbench {

// A choice at random among ways that are all right: the models go each of them in turn. About a nanosecond a
// choice. Not thread-safe.
class RandomChoice {
 public:
  explicit RandomChoice(std::uint64_t seed) noexcept
      : random_(seed) {
  }

  // Returns a number below `count`, which is at least 1. By multiplication and not by division (D. Lemire, 2019);
  // some numbers come more often than others, by less than one part in 2^32 / count.
  std::uint32_t Below(std::uint32_t count) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{random_.Next()} * count) >> 32U);
  }

 private:
  QuickRandom random_;
};

}  // namespace schedbench
