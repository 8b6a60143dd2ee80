#pragma once

#include "metrics/counter.hpp"

namespace schedbench::metrics {

// What is counted of a scheduler as a whole, and not by any one of its workers: the one list. Its order is the order of JSON
// keys. What a scheduler has no mechanism for stays 0.
struct PoolMetrics {
  // clang-format off
  Counter<"global_lock_waits", "ops", Aggregation::kSum, "Times that a thread found the lock of the shared queue taken and waited; 0 where that queue has no lock"> global_lock_waits;
  Counter<"stacks_made", "stacks", Aggregation::kMax, "Stacks of fibers created since the scheduler began; they are reused"> stacks_made;
  Counter<"stack_refills", "ops", Aggregation::kSum, "Times that a worker had no idle stack and took a batch from the scheduler's pool of stacks"> stack_refills;
  // clang-format on
};

}  // namespace schedbench::metrics
