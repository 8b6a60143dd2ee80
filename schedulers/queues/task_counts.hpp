#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// Counts the tasks that went into a global queue and came out. Shows whether the queue is empty
// without disturbing the threads that use it, and gives positions to tasks that yield. (I1) A task
// is counted as pushed before it can be seen, and as taken after it was taken out. So taken <=
// pushed, and equal numbers mean that the queue was empty at some moment. "Guarded": all callers of
// the function hold one lock, so a load and a store are enough.
class TaskCounts {
 public:
  void CountPushed(std::uint64_t count) noexcept {
    // relaxed: ordered before what a taker does by the push that follows.
    pushed_.FetchAdd(count, memory_order_relaxed);
  }

  void CountPushedGuarded(std::uint64_t count) noexcept {
    pushed_.Store(pushed_.Load(memory_order_relaxed) + count, memory_order_relaxed);
  }

  void CountTaken(std::uint64_t count) noexcept {
    // release: pairs with the acquire in IsEmpty(); an RMW continues the sequences of others.
    taken_.FetchAdd(count, memory_order_release);
  }

  void CountTakenGuarded(std::uint64_t count) noexcept {
    // relaxed: one writer at a time. release: pairs with the acquire in IsEmpty().
    taken_.Store(taken_.Load(memory_order_relaxed) + count, memory_order_release);
  }

  // Returns whether the queue is empty. Sees a task whose push happens before this call.
  bool IsEmpty() const noexcept {
    // acquire: pairs with the release in CountTaken() and CountTakenGuarded(): the pushed_ that is
    // read after it is at least as new as this taken_, so equal numbers mean that it was empty.
    const std::uint64_t taken = taken_.Load(memory_order_acquire);
    return taken == pushed_.Load(memory_order_relaxed);
  }

  // Returns about how many tasks are in the queue.
  std::uint64_t Size() const noexcept {
    // Taken is read first, so that it is not above pushed.
    const std::uint64_t taken = taken_.Load(memory_order_relaxed);
    const std::uint64_t pushed = pushed_.Load(memory_order_relaxed);
    return pushed > taken ? pushed - taken : 0;
  }

  std::uint64_t Pushed() const noexcept {
    return pushed_.Load(memory_order_relaxed);
  }

  std::uint64_t Taken() const noexcept {
    return taken_.Load(memory_order_relaxed);
  }

 private:
  // On a cache line of their own: workers without tasks read them, and must not disturb the queue.
  // relaxed: one writer at a time; positions to compare with, by way of which nothing is read.
  alignas(kCacheLine) Atomic<std::uint64_t> pushed_{0};
  Atomic<std::uint64_t> taken_{0};  // relaxed: as pushed_

 public:
  // External submissions. Counted after they are counted as pushed, and before they can be seen.
  ExternalCounts external;
};

}  // namespace schedbench::schedulers
