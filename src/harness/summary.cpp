#include "harness/summary.hpp"

#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace schedbench::harness {

namespace {

constexpr double kLevel = 0.95;

Spread SpreadOf(const std::vector<double>& sample) {
  const double median = stats::Median(sample);
  if (const auto interval = stats::MedianConfidenceInterval(sample, kLevel)) {
    return {.median = median, .low = interval->low, .high = interval->high, .is_interval = true};
  }
  const auto [least, greatest] = std::ranges::minmax(sample);
  return {.median = median, .low = least, .high = greatest, .is_interval = false};
}

// As metrics::HistogramSnapshot::Quantile decides.
std::uint64_t SamplesFor(double quantile) {
  return static_cast<std::uint64_t>(std::ceil(std::log(0.05) / std::log(quantile)));
}

std::string WhyMissing(double quantile, const std::vector<Round>& rounds, std::size_t lacking) {
  if (rounds.empty()) {
    return "no round was finished";
  }
  const auto smallest = std::ranges::min(rounds, {}, &Round::wakeup_samples).wakeup_samples;
  if (quantile > 0) {
    return fmt::format(
        "too few samples in {} of {} rounds: {} in the smallest, this percentile needs {}", lacking,
        rounds.size(), smallest, SamplesFor(quantile));
  }
  return fmt::format("nothing to measure it by in {} of {} rounds", lacking, rounds.size());
}

}  // namespace

std::vector<SummaryRow> Summarise(const registry::WorkloadEntry& workload,
                                  const std::vector<Round>& rounds) {
  const std::vector<const registry::Figure*> figures = FiguresOf(workload);
  std::vector<SummaryRow> rows;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const double quantile = i < RoundMetricList().size() ? RoundMetricList()[i].quantile : 0;
    std::vector<double> sample;
    for (const Round& round : rounds) {
      if (round.figures[i]) {
        sample.push_back(*round.figures[i]);
      }
    }
    if (!sample.empty() && sample.size() == rounds.size()) {
      rows.push_back(
          {.figure = figures[i], .quantile = quantile, .spread = SpreadOf(sample), .missing = ""});
    } else {
      rows.push_back({.figure = figures[i],
                      .quantile = quantile,
                      .spread = std::nullopt,
                      .missing = WhyMissing(quantile, rounds, rounds.size() - sample.size())});
    }
  }
  return rows;
}

}  // namespace schedbench::harness
