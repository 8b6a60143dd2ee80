#pragma once

#include "base/attributes.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::schedulers {

// Decides when a worker polls the global queue before its own queues: at each `period`-th pick, so
// that tasks there do not starve behind tasks that follow from each other. Belongs to one worker.
class PollCountdown {
 public:
  // Requires: `period` >= 1.
  explicit PollCountdown(std::uint32_t period) noexcept
      : period_(period) {
  }

  // Called at each pick. True: the pick begins with a poll; call Polled() or Defer() then.
  SB_ALWAYS_INLINE bool IsDue() noexcept {
    return --left_ == 0;
  }

  // Begins a period. After a poll that found a task, the next pick does not poll: with period 1 the
  // polls would shut out the worker's own queues.
  void Polled(bool found) noexcept {
    left_ = found ? std::max(period_, 2U) : period_;
  }

  // The worker has slept, after it found the global queue empty. The next pick begins a period, so
  // that the order of tasks does not depend on how many the worker ran before.
  void Slept() noexcept {
    Polled(true);
    ++left_;  // because the pick after the sleep counts down too
  }

  // Postpones the poll to the next pick.
  void Defer() noexcept {
    left_ = 1;
  }

 private:
  const std::uint32_t period_;
  std::uint32_t left_ = 1;  // the very first pick polls
};

}  // namespace schedbench::schedulers
