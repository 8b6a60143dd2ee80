#pragma once

#include "base/atomic.hpp"
#include "platform/threads/thread.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>

namespace schedbench::workloads {

// Detects that all fibers of a round ran on the only worker of their scheduler. Only then a bound
// on fairness follows from the order in which the worker picks tasks: with more, the system may
// stop one worker while others continue. IScheduler::ActiveWorkers() is not enough: it is also 1
// where threads start as they are needed.
class OneThread {
 public:
  // Called before the first fiber of a round starts.
  void Begin(const registry::IScheduler& scheduler) {
    is_one_worker_ = scheduler.ActiveWorkers() == 1;
    first_.Store(0, memory_order_relaxed);
    are_several_.Store(false, memory_order_relaxed);
  }

  // Called by a fiber after each resumption.
  void Note() noexcept {
    const std::uint64_t own = platform::ThreadNumber();
    std::uint64_t first = first_.Load(memory_order_relaxed);
    if (first == own) {
      return;
    }
    if (first != 0 ||
        !first_.CompareExchange(first, own, memory_order_relaxed, memory_order_relaxed)) {
      are_several_.Store(true, memory_order_relaxed);
    }
  }

  // Returns the result. Requires: all fibers have ended.
  bool Holds() const noexcept {
    return is_one_worker_ && !are_several_.Load(memory_order_relaxed);
  }

 private:
  bool is_one_worker_ = false;
  Atomic<std::uint64_t> first_{0};   // thread; 0: no fiber has run; relaxed: only compared
  Atomic<bool> are_several_{false};  // relaxed: read when all fibers have ended
};

}  // namespace schedbench::workloads
