#pragma once

#include "base/random_choice.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace schedbench::schedulers {

// In which order a worker tries the others' queues: from a random one on, by a random step that shares no factor with
// their number, so that it meets each once and two thieves seldom keep together. As Go's scheduler does
// (runtime/proc.go, randomOrder). Not thread-safe: of one worker.
class VictimOrder {
 public:
  // Of worker `self` among `workers`.
  VictimOrder(std::uint32_t self, std::uint32_t workers, std::uint64_t seed)
      : self_(self),
        others_(workers - 1),
        random_(seed) {
    for (std::uint32_t step = 1; step <= others_; ++step) {
      if (std::gcd(step, others_) == 1) {
        steps_.push_back(step);
      }
    }
  }

  std::uint32_t Others() const noexcept {
    return others_;
  }

  // Begins a new order. Requires: there are others.
  void Shuffle() noexcept {
    place_ = random_.Below(others_);
    step_ = steps_[random_.Below(static_cast<std::uint32_t>(steps_.size()))];
  }

  // Returns the next victim; Others() times after a Shuffle each one once.
  std::uint32_t Next() noexcept {
    const std::uint32_t victim = place_ < self_ ? place_ : place_ + 1;
    place_ += step_;
    place_ -= place_ < others_ ? 0 : others_;
    return victim;
  }

 private:
  const std::uint32_t self_;
  const std::uint32_t others_;
  std::uint32_t place_ = 0;
  std::uint32_t step_ = 0;
  std::vector<std::uint32_t> steps_;
  RandomChoice random_;
};

}  // namespace schedbench::schedulers
