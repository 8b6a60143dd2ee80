#pragma once

#include "tests/sim/machine/clocks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// What operator new gives to a model. Each thread has a region of its own, taken from the bottom
// up: an address depends only on what its thread has done, not on the interleaving. Nothing is
// given out twice in an execution, and freed memory is overwritten, so that a use after free meets
// no valid word.
class Arena {
 public:
  static constexpr std::size_t kRegionBytes = std::size_t{4} << 20U;

  Arena();

  void Reset() noexcept;

  // Null when the region of the thread is used up.
  void* Allocate(unsigned thread, std::size_t bytes, std::size_t alignment) noexcept;

  enum class Freed : std::uint8_t { kOk, kTwice, kNotABlock };
  Freed Free(void* block) noexcept;

  bool Contains(const void* address) const noexcept {
    const auto* at = static_cast<const char*>(address);
    return at >= memory_ && at < memory_ + kMaxThreads * kRegionBytes;
  }

  // Blocks that are not freed.
  std::size_t Live() const noexcept {
    return live_;
  }

 private:
  char* const memory_;
  std::array<std::size_t, kMaxThreads> used_{};
  std::size_t live_ = 0;
};

}  // namespace schedbench::sim
