#include "harness/tune/plan.hpp"

#include "harness/compare/analysis.hpp"

#include <algorithm>

namespace schedbench::harness {

const registry::Metric& MetricOf(Objective objective, const registry::WorkloadEntry& workload) {
  constexpr std::array<std::string_view, kObjectiveNames.size()> kMetrics{
      "throughput", "wakeup_p99", "cpu_per_operation", "peak_memory"};
  const std::string_view usual = kMetrics[static_cast<std::size_t>(objective)];
  const std::vector<const registry::Metric*> metrics = ComparedMetrics(workload, {});
  const auto named = [&](std::string_view name) {
    return std::ranges::find(metrics, name, &registry::Metric::name);
  };
  if (objective == Objective::kP99) {
    for (const registry::Metric& own : workload.metrics) {
      if (own.name.ends_with("_p99") && own.unit == "ns" && named(own.name) != metrics.end()) {
        return own;
      }
    }
  }
  return **named(usual);
}

namespace {

// A rung with at most this many candidates decides: they are compared on fresh data, or nearly so.
std::size_t LastSizeOf(std::size_t objectives) {
  return objectives > 1 ? kMostWinners + 1 : kHalving;
}

}  // namespace

std::size_t KeptOf(std::size_t candidates, std::size_t objectives) {
  if (candidates <= LastSizeOf(objectives)) {
    return candidates;
  }
  // Keep a runner-up as well, and with several objectives a front.
  const std::size_t least = objectives > 1 ? kMostWinners + 1 : 2;
  return std::max((candidates + kHalving - 1) / kHalving, least);
}

std::vector<PlannedRung> PlannedRungs(const TunePlan& plan) {
  std::vector<PlannedRung> rungs;
  std::uint32_t blocks = kFirstBlocks;
  std::size_t left = plan.candidates.size() - 1;
  while (left > 0) {
    rungs.push_back({.blocks = blocks, .candidates = left});
    if (IsLastRung(left, rungs.size(), plan.objectives.size())) {
      break;
    }
    left = KeptOf(left, plan.objectives.size());
    blocks *= kHalving;
  }
  return rungs;
}

bool IsLastRung(std::size_t candidates, std::size_t rungs, std::size_t objectives) {
  // Three blocks alone do not choose between two candidates.
  return candidates <= 1 || (candidates <= LastSizeOf(objectives) && rungs > 1);
}

}  // namespace schedbench::harness
