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

double LevelOfEach(double joint, std::size_t comparisons) {
  SB_ASSERT(comparisons >= 1, "no comparison");
  SB_ASSERT(joint > 0 && joint < 1, "a confidence level lies between 0 and 1");
  return 1 - (1 - joint) / static_cast<double>(comparisons);
}

}  // namespace schedbench::stats
