#pragma once

#include "base/attributes.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::schedulers {

// When a worker looks at the global queue before its own: at each `period`-th pick, so that what waits there does not
// starve behind tasks that follow from each other. Not thread-safe: of one worker.
class PollCountdown {
 public:
  // `period`: at least 1.
  explicit PollCountdown(std::uint32_t period) noexcept
      : period_(period) {
  }

  // At each pick. True: it begins with a poll; then Polled() or Defer().
  SB_ALWAYS_INLINE bool IsDue() noexcept {
    return --left_ == 0;
  }

  // Never twice in a row if it found something: with period 1 the polls would shut out the worker's own queues.
  void Polled(bool found) noexcept {
    left_ = found ? std::max(period_, 2U) : period_;
  }

  // The worker has slept, after it found the global queue empty. The next pick begins a period, so that the order of tasks
  // does not depend on how many the worker ran before.
  void Slept() noexcept {
    Polled(true);
    ++left_;  // IsDue() of that pick counts it down
  }

  // The next pick is due in its place.
  void Defer() noexcept {
    left_ = 1;
  }

 private:
  const std::uint32_t period_;
  std::uint32_t left_ = 1;  // the very first pick polls
};

}  // namespace schedbench::schedulers
