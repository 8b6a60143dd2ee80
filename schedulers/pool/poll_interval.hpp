#pragma once

#include "base/atomic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace schedbench::schedulers {

// How long workers that always have tasks leave the network alone between two polls: short after a poll that has found
// events, twice as long after each that has not. So a closed loop of requests is answered soon, and idle connections
// cost little.
class PollInterval {
 public:
  // epoll_wait() without events takes some 0.2 us, so polls take a few percent of a worker while events come. Arbitrary.
  static constexpr std::uint64_t kShortestNs = 10'000;
  static constexpr std::uint64_t kLongestNs = 160'000;

  // After each poll, by the thread that has polled. `found`: how many fibers have become ready.
  void Polled(std::size_t found) noexcept {
    // relaxed: a hint, and one thread at a time polls.
    const std::uint64_t longer = std::min(2 * ns_.Load(memory_order_relaxed), kLongestNs);
    ns_.Store(found > 0 ? kShortestNs : longer, memory_order_relaxed);
  }

  // Nanoseconds until the next poll is due. Any thread.
  std::uint64_t Ns() const noexcept {
    return ns_.Load(memory_order_relaxed);  // relaxed: a hint
  }

 private:
  Atomic<std::uint64_t> ns_{kShortestNs};
};

}  // namespace schedbench::schedulers
