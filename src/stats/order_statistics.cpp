#include "stats/order_statistics.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace schedbench::stats {

namespace {

std::vector<double> Sorted(std::span<const double> sample) {
  SB_ASSERT(!sample.empty(), "a sample without values");
  std::vector<double> sorted(sample.begin(), sample.end());
  SB_ASSERT(std::none_of(sorted.begin(), sorted.end(),
                         [](double x) {
                           return std::isnan(x);
                         }),
            "NaN has no rank");
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// Goes through P(Bin(n, 1/2) <= i) for i = 0, 1, 2, ... The terms keep their binary exponent apart:
// the first, 2^-n, is below the least double from n = 1075 on.
class BinomialTail {
 public:
  explicit BinomialTail(std::size_t n)
      : n_(n),
        exponent_(-static_cast<long>(n)) {
  }

  // Returns the probability up to the current i.
  double Sum() const {
    return sum_;
  }

  // C(n, i + 1) = C(n, i) (n - i) / (i + 1).
  void Step() {
    mantissa_ *= static_cast<double>(n_ - i_) / static_cast<double>(i_ + 1);
    int shift = 0;
    mantissa_ = std::frexp(mantissa_, &shift);
    exponent_ += shift;
    ++i_;
    sum_ += Term();
  }

 private:
  double Term() const {
    return std::scalbln(mantissa_, exponent_);
  }

  std::size_t n_;
  std::size_t i_ = 0;
  double mantissa_ = 1;
  long exponent_;
  double sum_ = Term();
};

// Returns a rank as far from the middle one of n as the correlation asks for; below 1 where there is none.
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
    return sorted[below];  // no arithmetic: infinities stay what they are
  }
  return std::lerp(sorted[below], sorted[above], weight);
}

std::size_t MedianIntervalRank(std::size_t n, double level) {
  SB_ASSERT(level > 0 && level < 1, "a confidence level lies between 0 and 1");
  const double tail = (1 - level) / 2;
  BinomialTail below(n);
  std::size_t k = 0;
  // Half of n bounds it: P(Bin < k) <= tail < 1/2.
  while (k < (n + 1) / 2 && below.Sum() <= tail) {
    ++k;
    below.Step();
  }
  return k;
}

double MedianIntervalCoverage(std::size_t n, std::size_t k) {
  SB_ASSERT(k >= 1 && k <= (n + 1) / 2, "no such rank");
  BinomialTail below(n);
  for (std::size_t i = 1; i < k; ++i) {
    below.Step();
  }
  return 1 - 2 * below.Sum();
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
