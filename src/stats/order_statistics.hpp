#pragma once

#include <cstddef>
#include <optional>
#include <span>

// Statistics of a sample by the ranks of its values: they work for any distribution. Pure
// functions; thread-safe. Samples need not be sorted and must not contain NaN.

namespace schedbench::stats {

// Returns the middle value, or the mean of the two middle ones. Requires: the sample is not empty.
double Median(std::span<const double> sample);

// Returns the p-quantile: linear between the order statistics around rank (n - 1) p, counted from
// 0. This is type 7 of Hyndman & Fan, "Sample Quantiles in Statistical Packages" (The American
// Statistician 50, 1996), the default of R and NumPy; Quantile(x, 0.5) == Median(x). Requires: the
// sample is not empty, 0 <= p <= 1.
double Quantile(std::span<const double> sample, double p);

// A confidence interval of the median of the distribution of a sample.
struct MedianInterval {
  double low;
  double high;
  std::size_t rank;          // low is the rank-th smallest value, high the rank-th largest; from 1
  double coverage;           // the exact probability to contain the median; at least the level
  bool stops_short = false;  // the sample is too small for the level
};

// Returns the exact sign-test (order-statistic) interval [x_(k), x_(n+1-k)], or nothing when n is
// below SmallestSampleWithInterval(level): then even [min, max] is not certain enough.
//
// Each value falls below the median with probability 1/2, so their number is Bin(n, 1/2), and
//   P(x_(k) <= median <= x_(n+1-k)) >= 1 - 2 P(Bin(n, 1/2) < k),
// with equality for a continuous distribution; k is the largest rank that keeps this >= level. It
// assumes independent values of one distribution. Source: David & Nagaraja, "Order Statistics", 3rd
// ed. (Wiley, 2003), section 7.1; it inverts the sign test. Requires: 0 < level < 1.
std::optional<MedianInterval> MedianConfidenceInterval(std::span<const double> sample,
                                                       double level = 0.95);

// Returns the interval for a series in which each value resembles the one before by `correlation`.
// It reaches sqrt((1 + c) / (1 - c)) times as far from the middle rank as that of independent
// values, because n values of a first-order autoregression are worth n (1 - c) / (1 + c)
// independent ones (G. V. Bayley, J. M. Hammersley, 1946). At the ends of the sample it stops:
// `stops_short`. `coverage` is that of the rank for independent values. Requires: 0 < level < 1, 0
// <= correlation < 1.
std::optional<MedianInterval> MedianConfidenceInterval(std::span<const double> series, double level,
                                                       double correlation);

// Returns k = max{k : P(Bin(n, 1/2) < k) <= (1 - level) / 2}, the rank of
// MedianConfidenceInterval(); 0 if there is none. Takes O(n) time. Requires: 0 < level < 1.
std::size_t MedianIntervalRank(std::size_t n, double level);

// Returns 1 - 2 P(Bin(n, 1/2) < k). Requires: 1 <= k <= (n + 1) / 2.
double MedianIntervalCoverage(std::size_t n, std::size_t k);

// Returns the least n that has an interval at this level: the least with 2^(1-n) <= 1 - level; 6
// for 0.95. Requires: 0 < level < 1.
std::size_t SmallestSampleWithInterval(double level);

}  // namespace schedbench::stats
