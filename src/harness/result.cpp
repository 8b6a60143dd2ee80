#include "harness/result.hpp"

#include "base/vector_of.hpp"

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
  const auto tasks = VectorOf(workers, [&](const auto& worker) { return worker[tasks_run]; });
  return static_cast<double>(std::ranges::max(tasks)) * static_cast<double>(workers.size()) /
         static_cast<double>(total[tasks_run]);
}

std::uint64_t RunResult::WallNs() const {
  return SumOf(rounds, &Round::wall_ns);
}

}  // namespace schedbench::harness
