#include "harness/summary.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"
#include "metrics/log_histogram.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace schedbench::harness {

namespace {

constexpr double kLevel = 0.95;

// Sets why `lacking` rounds lack the metric. `of_round`: null for a metric of the workload's own.
void SetMissing(const RoundMetric* of_round, const registry::WorkloadEntry& workload,
                const std::vector<Round>& rounds, std::size_t lacking, SummaryRow& row) {
  if (rounds.empty()) {
    row.missing = "no round was finished";
    return;
  }
  const std::string where = fmt::format("in {} of {} rounds", lacking, rounds.size());
  if (of_round != nullptr && of_round->samples != nullptr && !rounds.back().times_tasks) {
    row.missing = "not measured: the scheduler does not time its tasks";
  } else if (of_round != nullptr && of_round->by_hardware) {
    const std::string refusal = platform::HardwareCounters().Refusal();
    row.missing = "not available here" + (refusal.empty() ? "" : ": " + refusal);
  } else if (of_round != nullptr && of_round->quantile > 0) {
    const auto smallest = std::ranges::min(rounds, {}, of_round->samples).*of_round->samples;
    row.missing = fmt::format("too few samples {}: {} in the smallest, this percentile needs {}",
                              where, smallest, metrics::SamplesFor(of_round->quantile));
    row.too_few = true;
  } else if (row.metric->needs > 0) {
    const auto smallest = std::ranges::min(rounds, {}, &Round::operations).operations;
    row.missing = fmt::format("too few {}s {}: {} in the smallest, this metric needs {}",
                              workload.operation, where, smallest, row.metric->needs);
    row.too_few = true;
  } else {
    row.missing = fmt::format("nothing to measure it by {}", where);
  }
}

}  // namespace

Spread SpreadOf(const std::vector<double>& sample) {
  const double median = stats::Median(sample);
  if (const auto interval = stats::MedianConfidenceInterval(sample, kLevel)) {
    return {.median = median, .low = interval->low, .high = interval->high, .is_interval = true};
  }
  const auto [least, greatest] = std::ranges::minmax(sample);
  return {.median = median, .low = least, .high = greatest, .is_interval = false};
}

std::vector<SummaryRow> Summarise(const registry::WorkloadEntry& workload,
                                  const std::vector<Round>& rounds) {
  const std::vector<const registry::Metric*> metrics = MetricsOf(workload);
  std::vector<SummaryRow> rows;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const RoundMetric* const of_round =
        i < RoundMetricList().size() ? &RoundMetricList()[i] : nullptr;
    const auto sample = PresentOf(rounds, [i](const Round& round) { return round.metrics[i]; });
    SummaryRow row{.metric = metrics[i], .spread = std::nullopt, .missing = ""};
    if (!sample.empty() && sample.size() == rounds.size()) {
      row.spread = SpreadOf(sample);
    } else {
      SetMissing(of_round, workload, rounds, rounds.size() - sample.size(), row);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

const SummaryRow& RowOf(const std::vector<SummaryRow>& rows, std::string_view metric) {
  const auto found = std::ranges::find_if(
      rows, [metric](const SummaryRow& row) { return row.metric->name == metric; });
  SB_ASSERT(found != rows.end(), "no metric of the workload has this name");
  return *found;
}

}  // namespace schedbench::harness
