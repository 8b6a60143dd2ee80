#include "stats/ratio.hpp"

#include "base/assert.hpp"
#include "stats/order_statistics.hpp"

#include <cmath>

namespace schedbench::stats {

namespace {

bool HasLogarithm(double x) {
  return x > 0 && std::isfinite(x);
}

}  // namespace

LogRatios PairLogRatios(std::span<const double> a, std::span<const double> b) {
  SB_ASSERT(a.size() == b.size(), "pairs have two members");
  LogRatios pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!HasLogarithm(a[i]) || !HasLogarithm(b[i])) {
      ++pairs.dropped;
      continue;
    }
    pairs.ties += a[i] == b[i] ? 1 : 0;
    pairs.values.push_back(std::log(b[i]) - std::log(a[i]));
  }
  return pairs;
}

std::optional<RatioEstimate> PairedRatio(const LogRatios& pairs, double level, double correlation) {
  const auto interval = MedianConfidenceInterval(pairs.values, level, correlation);
  if (!interval) {
    return std::nullopt;
  }
  return RatioEstimate{.ratio = std::exp(Median(pairs.values)),
                       .low = std::exp(interval->low),
                       .high = std::exp(interval->high),
                       .stops_short = interval->stops_short};
}

std::optional<DifferenceEstimate> PairedDifference(std::span<const double> a,
                                                   std::span<const double> b, double level) {
  SB_ASSERT(a.size() == b.size(), "pairs");
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences.push_back(b[i] - a[i]);
  }
  const auto interval = MedianConfidenceInterval(differences, level);
  if (!interval) {
    return std::nullopt;
  }
  return DifferenceEstimate{
      .difference = Median(differences), .low = interval->low, .high = interval->high};
}

std::optional<DifferenceEstimate> DifferenceOfMedians(std::span<const double> a,
                                                      std::span<const double> b, double level) {
  const double of_each = LevelOfEach(level, 2);
  const auto first = MedianConfidenceInterval(a, of_each);
  const auto second = MedianConfidenceInterval(b, of_each);
  if (!first || !second) {
    return std::nullopt;
  }
  return DifferenceEstimate{
      .difference = Median({b.begin(), b.end()}) - Median({a.begin(), a.end()}),
      .low = second->low - first->high,
      .high = second->high - first->low};
}

RatioEstimate RelativeTo(double reference, const DifferenceEstimate& difference) {
  const auto relative = [reference](double value) {
    return value == 0 ? 1 : 1 + value / std::abs(reference);
  };
  return {.ratio = relative(difference.difference),
          .low = relative(difference.low),
          .high = relative(difference.high)};
}

double LevelOfEach(double joint, std::size_t comparisons) {
  SB_ASSERT(comparisons >= 1, "no comparison");
  SB_ASSERT(joint > 0 && joint < 1, "a confidence level lies between 0 and 1");
  return 1 - (1 - joint) / static_cast<double>(comparisons);
}

}  // namespace schedbench::stats
