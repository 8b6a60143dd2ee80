#pragma once

#include <cstdint>

namespace schedbench {

// One step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): mixes any seeds, even 0, 1, 2.
constexpr std::uint64_t MixSeed(std::uint64_t seed) noexcept {
  seed += 0x9e3779b97f4a7c15U;
  seed = (seed ^ (seed >> 30U)) * 0xbf58476d1ce4e5b9U;
  seed = (seed ^ (seed >> 27U)) * 0x94d049bb133111ebU;
  return seed ^ (seed >> 31U);
}

// Returns the seed of stream number `stream`: all random choices of a run come from its one seed.
constexpr std::uint64_t DeriveSeed(std::uint64_t run_seed, std::uint64_t stream) noexcept {
  return MixSeed(MixSeed(run_seed) ^ stream);
}

// xorshift64* (Vigna, 2016): 8 bytes of state and about a nanosecond per number. For choices on hot
// paths with low demands, such as which event to sample. Not thread-safe.
class QuickRandom {
 public:
  explicit QuickRandom(std::uint64_t seed) noexcept
      : state_(MixSeed(seed) | 1U) {
  }

  std::uint32_t Next() noexcept {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return static_cast<std::uint32_t>((state_ * 0x2545f4914f6cdd1dU) >> 32U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace schedbench
