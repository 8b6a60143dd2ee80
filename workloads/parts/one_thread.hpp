#pragma once

#include "base/atomic.hpp"
#include "platform/threads/thread.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>

namespace schedbench::workloads {

// Whether all fibers of a round ran on the only worker of their scheduler: only then a bound on fairness follows from the order
// in which the worker picks tasks. With more, the system may stop one worker while others continue. IScheduler::ActiveWorkers()
// alone does not show it: it is 1 also where threads start as they are needed.
class OneThread {
 public:
  // Before the first fiber of a round starts.
  void Begin(const registry::IScheduler& scheduler) {
    is_one_worker_ = scheduler.ActiveWorkers() == 1;
    first_.Store(0, memory_order_relaxed);            // relaxed: ordered by the start of the fibers
    are_several_.Store(false, memory_order_relaxed);  // relaxed: likewise
  }

  // By a fiber, each time it was resumed.
  void Note() noexcept {
    const std::uint64_t own = platform::ThreadNumber();
    // relaxed: only compared; the results are read when all fibers have ended.
    std::uint64_t first = first_.Load(memory_order_relaxed);
    if (first == own) {
      return;
    }
    // relaxed: likewise.
    if (first != 0 ||
        !first_.CompareExchange(first, own, memory_order_relaxed, memory_order_relaxed)) {
      are_several_.Store(true, memory_order_relaxed);  // relaxed: likewise
    }
  }

  // Requires: all fibers have ended.
  bool Holds() const noexcept {
    // relaxed: ordered by the end of the fibers.
    return is_one_worker_ && !are_several_.Load(memory_order_relaxed);
  }

 private:
  bool is_one_worker_ = false;
  Atomic<std::uint64_t> first_{0};  // thread; 0: no fiber has run
  Atomic<bool> are_several_{false};
};

}  // namespace schedbench::workloads
