#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// By how much B is more than A: estimates of B / A from pairs of measurements that were made side by side, so
// that what disturbs both at once cancels out. Pure functions; thread-safe.

namespace schedbench::stats {

// An estimate of B / A and its confidence interval: 1.1 says that B is a tenth more. low <= ratio <= high.
struct RatioEstimate {
  double ratio;
  double low;
  double high;
  bool stops_short = false;  // the interval may be too narrow: MedianInterval
};

// ln(b_i / a_i) of pairs: logarithms make twice and half the same distance from equal, so that it does not
// matter which of the two is called A.
struct LogRatios {
  std::vector<double> values;  // in the order of the pairs
  std::size_t dropped =
      0;                 // pairs of which a member is not positive and finite: they have no ratio
  std::size_t ties = 0;  // pairs of equal members; many of them mean that the clock is too coarse
};

// Requires: as many values of A as of B.
LogRatios PairLogRatios(std::span<const double> a, std::span<const double> b);

// Returns the median of the pairs' ratios with its exact sign-test interval (MedianConfidenceInterval) at this
// level, or nothing where they are too few for one. Assumes that the pairs are independent, or each like the one before
// by `correlation`, and nothing of the shape of their distribution. Requires: 0 < level < 1, 0 <= correlation < 1.
std::optional<RatioEstimate> PairedRatio(const LogRatios& pairs, double level,
                                         double correlation = 0);

// An estimate of B - A in the unit of both, for pairs of which some have no ratio. low <= difference <= high.
struct DifferenceEstimate {
  double difference;
  double low;
  double high;
};

// Returns the median of b_i - a_i with its sign-test interval, as PairedRatio() does. Requires: as many values of A as of B.
std::optional<DifferenceEstimate> PairedDifference(std::span<const double> a,
                                                   std::span<const double> b, double level);

// Returns the same for samples that were not measured side by side: the ends of the intervals of both medians, each at the level
// that makes both hold at once. Wider than a rank test, and without an assumption about either distribution.
std::optional<DifferenceEstimate> DifferenceOfMedians(std::span<const double> a,
                                                      std::span<const double> b, double level);

// Returns the difference by its reference, as a ratio: 1 for no difference. Where the reference is 0, any difference is
// infinite.
RatioEstimate RelativeTo(double reference, const DifferenceEstimate& difference);

// Returns the level that each of `comparisons` intervals needs, so that all of them hold their values at once with
// at least the probability `joint` (Bonferroni, that is, whatever they have to do with each other).
// Requires: comparisons >= 1, 0 < joint < 1.
double LevelOfEach(double joint, std::size_t comparisons);

}  // namespace schedbench::stats
