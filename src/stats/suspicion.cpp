#include "stats/suspicion.hpp"

#include "base/vector_of.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace schedbench::stats {

namespace {

constexpr double kFarInDeviations = 14.8;
constexpr double kMaxDependent = 0.95;  // above it a series of any length is one drift

}  // namespace

std::vector<std::size_t> Outliers(std::span<const double> series) {
  const double median = Median(series);
  const auto distances = VectorOf(series, [&](double x) { return std::abs(x - median); });
  const double deviation = Median(distances);
  std::vector<std::size_t> far;
  for (std::size_t i = 0; deviation > 0 && i < distances.size(); ++i) {
    if (distances[i] > kFarInDeviations * deviation) {
      far.push_back(i);
    }
  }
  return far;
}

double Lag1Correlation(std::span<const double> series) {
  if (series.size() < 3) {
    return 0;
  }
  const double mean =
      std::accumulate(series.begin(), series.end(), 0.0) / static_cast<double>(series.size());
  double together = 0;
  double alone = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double x = series[i] - mean;
    alone += x * x;
    together += i > 0 ? x * (series[i - 1] - mean) : 0;
  }
  return alone > 0 ? together / alone : 0;
}

bool LooksDependent(std::span<const double> series) {
  return Lag1Correlation(series) > 2 / std::sqrt(static_cast<double>(series.size()));
}

double Dependence(std::span<const double> series) {
  if (!LooksDependent(series)) {
    return 0;
  }
  const double seen = Lag1Correlation(series);
  return std::min(kMaxDependent, seen + (1 + 4 * seen) / static_cast<double>(series.size()));
}

}  // namespace schedbench::stats
