#pragma once

#include "metrics/metric_list.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::report {

// The uses of a worker's wall time. The first three add up to all of it.
struct WorkerTime {
  std::uint64_t run_ns;        // time with a task: what search and idle leave
  std::uint64_t search_ns;     // search for work
  std::uint64_t idle_ns;       // parked
  std::uint64_t preempted_ns;  // without a CPU, which other threads had: included in the others
  // False: tasks ran, but the other parts leave no time for them. The rounds are too short for the
  // kernel's account, which begins before a round and ends after it.
  bool is_resolved;
};

// Returns the parts. `wall_ns`: sum of all rounds. Pure; thread-safe.
inline WorkerTime TimeOf(const metrics::MetricValues& worker, std::uint64_t wall_ns) {
  const auto at_most = [&worker](const char* metric, std::uint64_t limit_ns) {
    return std::min(worker[metrics::MetricIndex(metric)], limit_ns);
  };
  // A worker can be parked slightly longer than a round lasts.
  const std::uint64_t search_ns = at_most("search_ns", wall_ns);
  const std::uint64_t idle_ns = at_most("park_ns", wall_ns - search_ns);
  return {.run_ns = wall_ns - search_ns - idle_ns,
          .search_ns = search_ns,
          .idle_ns = idle_ns,
          .preempted_ns = at_most("preempted_ns", wall_ns),
          .is_resolved =
              wall_ns > search_ns + idle_ns || worker[metrics::MetricIndex("tasks_run")] == 0};
}

}  // namespace schedbench::report
