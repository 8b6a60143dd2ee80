#include "harness/compare/block_value.hpp"
#include "harness/tune/tuner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace schedbench::harness {

namespace {

// Returns the logarithm of each block's value; sets `missing` if a block does not have one.
TunePairs LogValuesUnder(const registry::Metric& metric, std::string_view workload,
                         const Series& series) {
  TunePairs logs;
  if (!series.failure.empty()) {
    logs.missing = series.refused ? "refused" : "failed";
    return logs;
  }
  for (const std::optional<double>& value : ValuesByBlock(series, metric)) {
    if (!value) {
      logs.missing = fmt::format("{}: too few samples for {}", workload, metric.name);
      return logs;
    }
    if (!(*value > 0) || !std::isfinite(*value)) {
      logs.missing = fmt::format("{}: {} is 0, which has no ratio", workload, metric.name);
      return logs;
    }
    logs.values.push_back(std::log(*value));
  }
  if (logs.values.empty()) {
    logs.missing = "not measured";
  }
  return logs;
}

}  // namespace

TunePairs LogValuesOf(const TunePlan& plan, Objective objective, const TuneSeries& candidate,
                      std::size_t first, std::size_t last) {
  TunePairs mean;
  for (std::size_t i = first; i < last; ++i) {
    const registry::WorkloadEntry& workload = *plan.workloads[i].entry;
    const TunePairs one =
        LogValuesUnder(MetricOf(objective, workload), workload.name, candidate[i]);
    if (!one.missing.empty()) {
      return one;
    }
    mean.values.resize(i == first ? one.values.size()
                                  : std::min(mean.values.size(), one.values.size()));
    for (std::size_t block = 0; block < mean.values.size(); ++block) {
      mean.values[block] += one.values[block] / static_cast<double>(last - first);
    }
  }
  return mean;
}

TunePairs PairsOf(const TunePlan& plan, Objective objective, const TuneSeries& candidate,
                  const TuneSeries& other, std::size_t first, std::size_t last) {
  TunePairs pairs = LogValuesOf(plan, objective, candidate, first, last);
  const TunePairs subtracted = LogValuesOf(plan, objective, other, first, last);
  if (!subtracted.missing.empty()) {
    return {.values = {}, .missing = "nothing to compare with: " + subtracted.missing};
  }
  pairs.values.resize(std::min(pairs.values.size(), subtracted.values.size()));
  for (std::size_t block = 0; block < pairs.values.size(); ++block) {
    pairs.values[block] -= subtracted.values[block];
  }
  return pairs;
}

const std::string& FailureOf(const TuneSeries& candidate) {
  static const std::string none;
  const auto failed =
      std::ranges::find_if(candidate, [](const Series& series) { return !series.failure.empty(); });
  return failed == candidate.end() ? none : failed->failure;
}

}  // namespace schedbench::harness
