#pragma once

#include "base/random.hpp"
#include "tests/sim/machine/chooser.hpp"
#include "tests/sim/machine/clocks.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace schedbench::sim {

// Values other than the usual one are chosen once in so many choices. Arbitrary.
inline constexpr std::uint32_t kUnusualValuePeriod = 4;

// At each point of decision any thread that can continue, with equal probability.
class RandomWalk final : public IChooser {
 public:
  explicit RandomWalk(std::uint64_t seed) noexcept
      : random_(seed) {
  }

  unsigned ChooseThread(unsigned /*current*/, std::uint32_t ready) override {
    std::uint32_t number = random_.Next() % static_cast<std::uint32_t>(std::popcount(ready));
    for (; number > 0; --number) {
      ready &= ready - 1;
    }
    return static_cast<unsigned>(std::countr_zero(ready));
  }

  unsigned ChooseValue(unsigned count, bool /*rare*/) override {
    return random_.Next() % kUnusualValuePeriod == 0 ? random_.Next() % count : 0;
  }

  bool IsWorthwhile(std::uint64_t /*state*/, unsigned /*preemptions*/) override {
    return true;
  }

 private:
  QuickRandom random_;
};

// Probabilistic concurrency testing (S. Burckhardt et al., ASPLOS 2010): threads have random
// priorities, the highest one that can continue does, and at depth - 1 random points the running
// one falls below all others. A bug of that depth is found with probability at least 1 / (threads *
// steps^(depth - 1)) per execution.
class PrioritySchedule final : public IChooser {
 public:
  // `steps`: about how many points of decision an execution has.
  PrioritySchedule(std::uint64_t seed, unsigned depth, std::uint32_t steps) noexcept
      : random_(seed),
        changes_(depth - 1) {
    for (unsigned i = 0; i < kMaxThreads; ++i) {
      priority_[i] = kMaxDepth + random_.Next() % 1'000'000;
    }
    for (unsigned i = 0; i < changes_ && i < kMaxDepth; ++i) {
      change_at_[i] = 1 + random_.Next() % steps;
    }
  }

  unsigned ChooseThread(unsigned current, std::uint32_t ready) override {
    ++step_;
    for (unsigned i = 0; i < changes_; ++i) {
      if (change_at_[i] == step_) {
        priority_[current] = i;
      }
    }
    unsigned best = static_cast<unsigned>(std::countr_zero(ready));
    for (std::uint32_t rest = ready; rest != 0; rest &= rest - 1) {
      const auto thread = static_cast<unsigned>(std::countr_zero(rest));
      if (priority_[thread] > priority_[best]) {
        best = thread;
      }
    }
    return best;
  }

  unsigned ChooseValue(unsigned count, bool /*rare*/) override {
    return random_.Next() % kUnusualValuePeriod == 0 ? random_.Next() % count : 0;
  }

  bool IsWorthwhile(std::uint64_t /*state*/, unsigned /*preemptions*/) override {
    return true;
  }

 private:
  static constexpr unsigned kMaxDepth = 8;

  QuickRandom random_;
  const unsigned changes_;
  std::uint32_t step_ = 0;
  std::array<std::uint32_t, kMaxThreads> priority_{};
  std::array<std::uint32_t, kMaxDepth> change_at_{};
};

}  // namespace schedbench::sim
