#pragma once

#include "base/atomic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace schedbench::schedulers {

// The time between two polls of the network by workers that always have tasks. It is short after a
// poll that found events, and doubles after each other poll. So a closed loop of requests is
// answered soon, and idle connections cost little.
class PollInterval {
 public:
  // epoll_wait() without events takes about 0.2 us: at most a few percent of a worker. Arbitrary.
  static constexpr std::uint64_t kShortestNs = 10'000;
  static constexpr std::uint64_t kLongestNs = 160'000;
  // Between two polls by a worker whose local queue is more than half full. What the poll finds
  // would push tasks to the global queue, where they wait behind all that become ready later.
  static constexpr std::uint64_t kCrowdedNs = 1'000'000;

  // Called after each poll by the thread that polled. `found`: number of fibers that became ready.
  void Polled(std::size_t found) noexcept {
    const std::uint64_t longer = std::min(2 * ns_.Load(memory_order_relaxed), kLongestNs);
    ns_.Store(found > 0 ? kShortestNs : longer, memory_order_relaxed);
  }

  // Nanoseconds between the last poll and the next one. Any thread.
  std::uint64_t Ns() const noexcept {
    return ns_.Load(memory_order_relaxed);
  }

 private:
  Atomic<std::uint64_t> ns_{kShortestNs};  // relaxed: a hint, and one thread at a time polls
};

}  // namespace schedbench::schedulers
