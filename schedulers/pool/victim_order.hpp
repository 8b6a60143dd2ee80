#pragma once

#include "base/random_choice.hpp"
#include "config/field.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace schedbench::schedulers {

// The order in which a worker tries the queues of the others.
enum class Victim : std::uint8_t {
  kRandom,       // starts at a random worker, with a random step
  kRoundRobin,   // the ring of workers; starts one after the start of the last sweep
  kLastSuccess,  // starts at the last worker that had tasks, with a random step
  kNearest,      // near indices on the ring first: +1, -1, +2, -2, ...
};

constexpr std::array<std::string_view, 4> NamesOf(Victim) {
  return {"random", "round_robin", "last_success", "nearest"};
}

// The sweeps of one worker over all others; each visits every other once. Belongs to one worker. A
// sweep moves through a list of the others by a constant step that shares no factor with their
// number, so that it visits each once. With random steps two thieves seldom stay together (Go's
// runtime/proc.go, randomOrder). The policies differ in the list, and in the start and the step of
// a sweep. They cost a switch per sweep, nothing per victim, and no memory after construction.
// kNearest compares indices only. A near index means a shared cache only where worker i is pinned
// next to worker i + 1. The pools do not pin workers.
class VictimOrder {
 public:
  // Makes the sweeps of worker `self` among `workers` workers.
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
      // The ring starts at `self` + 1. For kNearest the distances from `self` are 1, -1, 2, -2, ...
      const std::uint32_t distance = i / 2 + 1;
      const std::uint32_t nearest = i % 2 == 0 ? distance : workers - distance;
      list_.push_back((self + (policy == Victim::kNearest ? nearest : i + 1)) % workers);
    }
  }

  std::uint32_t Others() const noexcept {
    return others_;
  }

  // Begins a sweep. Requires: Others() > 0.
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
        // Before the first success this is kRandom.
        place_ = last_success_ < others_ ? last_success_ : random_.Below(others_);
        step_ = RandomStep();
        break;
      case Victim::kNearest:
        place_ = 0;
        break;
    }
  }

  // Returns the next victim. Others() calls after BeginSweep() return each victim once.
  std::uint32_t Next() noexcept {
    const std::uint32_t victim = list_[place_];
    place_ = Forward(place_, step_);
    return victim;
  }

  // Records that the victim which Next() returned last had tasks.
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
  std::uint32_t place_ = 0;  // index of the next victim in list_
  std::uint32_t step_ = 1;
  std::uint32_t begin_ = 0;           // kRoundRobin: start of the next sweep
  std::uint32_t last_success_ = ~0U;  // kLastSuccess: index in list_; ~0U before the first one
  std::vector<std::uint32_t> list_;   // all but self
  std::vector<std::uint32_t> steps_;
  RandomChoice random_;
};

}  // namespace schedbench::schedulers
