#pragma once

#include "base/random_choice.hpp"
#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace schedbench::schedulers {

// In which order a worker tries the others' queues.
enum class Victim : std::uint8_t {
  kRandom,       // from a random one on, by a random step
  kRoundRobin,   // round the ring of workers, from behind the one where the last sweep began
  kLastSuccess,  // first the last one that had tasks, then by a random step
  kNearest,  // by the distance of indices on the ring of workers; of two alike the one behind comes first
};

constexpr std::array<std::string_view, 4> NamesOf(Victim) {
  return {"random", "round_robin", "last_success", "nearest"};
}

// The sweeps of one worker over all others: each meets every other worker once. Not thread-safe: of one worker.
//
// A sweep goes through a list of the others by a constant step that shares no factor with their number, so that it meets
// each once, and at random steps two thieves seldom keep together (Go's runtime/proc.go, randomOrder). The policies
// differ in the list and in where a sweep begins with which step: they cost a switch for each sweep, nothing for each
// victim, and no memory after construction.
//
// kNearest compares indices only. They stand for caches that are shared where worker i is pinned beside worker i + 1; the pools
// pin no worker, so that there a near index does not mean a near core.
class VictimOrder {
 public:
  // Of worker `self` among `workers`.
  VictimOrder(Victim policy, std::uint32_t self, std::uint32_t workers, std::uint64_t seed)
      : policy_(policy),
        others_(workers - 1),
        random_(seed) {
    for (std::uint32_t step = 1; step <= others_; ++step) {
      if (std::gcd(step, others_) == 1) {
        steps_.push_back(step);
      }
    }
    for (std::uint32_t i = 0; i < others_; ++i) {
      // The ring from behind `self` on; for kNearest 1, -1, 2, -2, ... from it.
      const std::uint32_t distance = i / 2 + 1;
      const std::uint32_t nearest = i % 2 == 0 ? distance : workers - distance;
      list_.push_back((self + (policy == Victim::kNearest ? nearest : i + 1)) % workers);
    }
  }

  std::uint32_t Others() const noexcept {
    return others_;
  }

  // Begins a sweep. Requires: there are others.
  void BeginSweep() noexcept {
    switch (policy_) {
      case Victim::kRandom:
        place_ = random_.Below(others_);
        step_ = RandomStep();
        break;
      case Victim::kRoundRobin:
        place_ = begin_;
        begin_ = Forward(begin_, 1);
        break;
      case Victim::kLastSuccess:
        // Before the first success: kRandom.
        place_ = last_success_ < others_ ? last_success_ : random_.Below(others_);
        step_ = RandomStep();
        break;
      case Victim::kNearest:
        place_ = 0;
        break;
    }
  }

  // Returns the next victim; Others() times after a BeginSweep each one once.
  std::uint32_t Next() noexcept {
    const std::uint32_t victim = list_[place_];
    place_ = Forward(place_, step_);
    return victim;
  }

  // The victim that Next() returned last had something to give.
  void RecordSuccess() noexcept {
    last_success_ = Forward(place_, others_ - step_);
  }

 private:
  std::uint32_t Forward(std::uint32_t place, std::uint32_t by) const noexcept {
    place += by;
    return place < others_ ? place : place - others_;
  }

  std::uint32_t RandomStep() noexcept {
    return steps_[random_.Below(static_cast<std::uint32_t>(steps_.size()))];
  }

  const Victim policy_;
  const std::uint32_t others_;
  std::uint32_t place_ = 0;  // in list_, of the next victim
  std::uint32_t step_ = 1;
  std::uint32_t begin_ = 0;           // kRoundRobin: of the next sweep
  std::uint32_t last_success_ = ~0U;  // kLastSuccess; none: beyond the list
  std::vector<std::uint32_t> list_;   // all but self
  std::vector<std::uint32_t> steps_;
  RandomChoice random_;
};

}  // namespace schedbench::schedulers
