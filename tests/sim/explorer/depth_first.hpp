#pragma once

#include "tests/sim/explorer/visited_states.hpp"
#include "tests/sim/machine/chooser.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// Visits all executions within the bounds of the machine, one branch after the other, and cuts off
// those that come to a state which another one has passed. Two executions pass the same state if
// they differ only in the order of independent steps (M. Musuvathi, S. Qadeer, Partial-order
// reduction for context-bounded state exploration, 2007).
class DepthFirst final : public IChooser {
 public:
  // Before each execution.
  void Restart() noexcept {
    depth_ = 0;
  }

  // Goes to the next branch. False: there is none, all has been visited.
  bool Advance() noexcept {
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().count) {
      path_.pop_back();
    }
    if (path_.empty()) {
      return false;
    }
    ++path_.back().chosen;
    return true;
  }

  // Forgets all.
  void Clear() {
    path_.clear();
    visited_.Clear();
  }

  std::size_t States() const noexcept {
    return visited_.Size();
  }

  unsigned ChooseThread(unsigned current, std::uint32_t ready) override {
    const std::uint32_t own = (1U << current) & ready;
    unsigned number = Choose(static_cast<unsigned>(std::popcount(ready)));
    if (own != 0) {
      if (number == 0) {
        return current;
      }
      --number;
    }
    std::uint32_t rest = ready & ~own;
    for (; number > 0; --number) {
      rest &= rest - 1;
    }
    return static_cast<unsigned>(std::countr_zero(rest));
  }

  unsigned ChooseValue(unsigned count, bool /*rare*/) override {
    return Choose(count);
  }

  bool IsWorthwhile(std::uint64_t state, unsigned preemptions) override {
    // On the way to the branch that is due, all states have been seen.
    return depth_ < path_.size() || visited_.Insert(state, preemptions);
  }

 private:
  struct Branch {
    std::uint16_t chosen;
    std::uint16_t count;
  };

  unsigned Choose(unsigned count) {
    if (depth_ == path_.size()) {
      path_.push_back({.chosen = 0, .count = static_cast<std::uint16_t>(count)});
    }
    return path_[depth_++].chosen;
  }

  HostVector<Branch> path_;
  std::size_t depth_ = 0;
  VisitedStates visited_;
};

}  // namespace schedbench::sim
