#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// Estimates of B / A from pairs of measurements that were made side by side, so that disturbances
// of both cancel out. Pure functions; thread-safe.

namespace schedbench::stats {

// An estimate of B / A with its confidence interval: 1.1 means a tenth more. low <= ratio <= high.
struct RatioEstimate {
  double ratio;
  double low;
  double high;
  bool stops_short = false;  // the interval may be too narrow: MedianInterval
};

// ln(b_i / a_i) of pairs: in logarithms, twice and half are equally far from equal, so it does not
// matter which of the two is called A.
struct LogRatios {
  std::vector<double> values;  // in the order of the pairs
  // Pairs without a ratio, because a member is not positive and finite.
  std::size_t dropped = 0;
  std::size_t ties = 0;  // pairs of equal members; many mean that the clock is too coarse
};

// Returns the logarithms of the pairs' ratios. Requires: equally many values of A and B.
LogRatios PairLogRatios(std::span<const double> a, std::span<const double> b);

// Returns the median of the pairs' ratios with its exact sign-test interval
// (MedianConfidenceInterval) at this level, or nothing if there are too few pairs. Assumes pairs
// that are independent, or like the one before by `correlation`, of any distribution. Requires: 0 <
// level < 1, 0 <= correlation < 1.
std::optional<RatioEstimate> PairedRatio(const LogRatios& pairs, double level,
                                         double correlation = 0);

// An estimate of B - A in their unit, if some pairs lack a ratio. low <= difference <= high.
struct DifferenceEstimate {
  double difference;
  double low;
  double high;
};

// Returns the median of b_i - a_i with its interval, like PairedRatio(). Requires: equal sizes.
std::optional<DifferenceEstimate> PairedDifference(std::span<const double> a,
                                                   std::span<const double> b, double level);

// Returns the difference of samples that were not measured side by side: the ends of the intervals
// of both medians, each at the level that makes both hold at once. Wider than a rank test, but
// without assumptions about the distributions.
std::optional<DifferenceEstimate> DifferenceOfMedians(std::span<const double> a,
                                                      std::span<const double> b, double level);

// Returns the difference by its reference, as a ratio: 1 for no difference. For the reference 0,
// any difference is infinite.
RatioEstimate RelativeTo(double reference, const DifferenceEstimate& difference);

// Returns the level that each of `comparisons` intervals needs, so that all hold at once with at
// least the probability `joint` (Bonferroni: any dependence). Requires: comparisons >= 1, 0 < joint
// < 1.
double LevelOfEach(double joint, std::size_t comparisons);

}  // namespace schedbench::stats
