#include "harness/result.hpp"

#include <algorithm>

namespace schedbench::harness {

std::uint64_t RunResult::Threads() const {
  return workers.empty()
             ? 0
             : std::max<std::uint64_t>(workers.size(), total[metrics::MetricIndex("threads_peak")]);
}

std::optional<double> RunResult::Imbalance() const {
  const std::size_t tasks_run = metrics::MetricIndex("tasks_run");
  if (workers.empty() || total[tasks_run] == 0) {
    return std::nullopt;
  }
  std::uint64_t most = 0;
  for (const metrics::MetricValues& worker : workers) {
    most = std::max(most, worker[tasks_run]);
  }
  return static_cast<double>(most) * static_cast<double>(workers.size()) /
         static_cast<double>(total[tasks_run]);
}

std::uint64_t RunResult::WallNs() const {
  std::uint64_t sum = 0;
  for (const Round& round : rounds) {
    sum += round.wall_ns;
  }
  return sum;
}

}  // namespace schedbench::harness
