#include "stats/order_statistics.hpp"

#include "base/assert.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace schedbench::stats {

namespace {

// Avoids long double, whose templates would be compiled too; double is exact enough for ranks.
using Binomial = boost::math::binomial_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

std::vector<double> Sorted(std::span<const double> sample) {
  SB_ASSERT(!sample.empty(), "a sample without values");
  std::vector<double> sorted(sample.begin(), sample.end());
  SB_ASSERT(std::none_of(sorted.begin(), sorted.end(), [](double x) { return std::isnan(x); }),
            "NaN has no rank");
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// P(Bin(n, 1/2) < k): the probability that fewer than k of n values lie below the median.
double TailBelow(std::size_t n, std::size_t k) {
  return k == 0
             ? 0
             : boost::math::cdf(Binomial(static_cast<double>(n), 0.5), static_cast<double>(k - 1));
}

// Returns the rank at the distance from the middle that the correlation requires; may be below 1.
double FurtherOut(std::size_t rank, std::size_t n, double correlation) {
  const double middle = static_cast<double>(n + 1) / 2;
  const double distance =
      (middle - static_cast<double>(rank)) * std::sqrt((1 + correlation) / (1 - correlation));
  return std::floor(middle - distance);
}

}  // namespace

double Median(std::span<const double> sample) {
  return Quantile(sample, 0.5);
}

double Quantile(std::span<const double> sample, double p) {
  SB_ASSERT(p >= 0 && p <= 1, "a quantile lies between 0 and 1");
  const std::vector<double> sorted = Sorted(sample);
  const double rank = static_cast<double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = rank - static_cast<double>(below);
  if (weight == 0 || sorted[below] == sorted[above]) {
    return sorted[below];  // no arithmetic: infinities stay unchanged
  }
  return std::lerp(sorted[below], sorted[above], weight);
}

std::size_t MedianIntervalRank(std::size_t n, double level) {
  SB_ASSERT(level > 0 && level < 1, "a confidence level lies between 0 and 1");
  const double tail = (1 - level) / 2;
  // The quantile is the result or next to it: its rounding is a policy of the library.
  const Binomial below(static_cast<double>(n), 0.5);
  auto k = static_cast<std::size_t>(boost::math::quantile(below, tail));
  while (k > 0 && TailBelow(n, k) > tail) {
    --k;
  }
  // Half of n bounds it: P(Bin < k) <= tail < 1/2.
  while (k < (n + 1) / 2 && TailBelow(n, k + 1) <= tail) {
    ++k;
  }
  return k;
}

double MedianIntervalCoverage(std::size_t n, std::size_t k) {
  SB_ASSERT(k >= 1 && k <= (n + 1) / 2, "no such rank");
  return 1 - 2 * TailBelow(n, k);
}

std::size_t SmallestSampleWithInterval(double level) {
  SB_ASSERT(level > 0 && level < 1, "a confidence level lies between 0 and 1");
  std::size_t n = 1;
  while (std::ldexp(1.0, 1 - static_cast<int>(n)) > 1 - level) {
    ++n;
  }
  return n;
}

std::optional<MedianInterval> MedianConfidenceInterval(std::span<const double> sample,
                                                       double level) {
  return MedianConfidenceInterval(sample, level, 0);
}

std::optional<MedianInterval> MedianConfidenceInterval(std::span<const double> series, double level,
                                                       double correlation) {
  SB_ASSERT(correlation >= 0 && correlation < 1, "no correlation that leaves anything unknown");
  const std::size_t independent = MedianIntervalRank(series.size(), level);
  if (independent == 0) {
    return std::nullopt;
  }
  const double wanted = FurtherOut(independent, series.size(), correlation);
  const auto k = static_cast<std::size_t>(std::max(1.0, wanted));
  const std::vector<double> sorted = Sorted(series);
  return MedianInterval{sorted[k - 1], sorted[sorted.size() - k], k,
                        MedianIntervalCoverage(series.size(), k), wanted < 1};
}

}  // namespace schedbench::stats
