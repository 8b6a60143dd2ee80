#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace schedbench::stats {

// Exponential values: skewed, median ln 2. Not std::exponential_distribution, whose values differ
// between standard libraries.
inline std::vector<double> SkewedSample(std::size_t n, std::mt19937_64& random) {
  std::vector<double> sample(n);
  for (double& x : sample) {
    x = -std::log1p(-static_cast<double>(random() >> 11) * 0x1p-53);
  }
  return sample;
}

// A series of median 0 in which each value keeps `correlation` of the one before.
inline std::vector<double> DriftingSample(std::size_t n, double correlation,
                                          std::mt19937_64& random) {
  std::vector<double> sample(n);
  double x = 0;
  constexpr std::size_t kForgotten = 100;  // so that the first is like the others
  for (std::size_t i = 0; i < kForgotten + n; ++i) {
    // Twelve even numbers make about a normal one.
    double step = -6;
    for (int j = 0; j < 12; ++j) {
      step += static_cast<double>(random() >> 11) * 0x1p-53;
    }
    x = correlation * x + std::sqrt(1 - correlation * correlation) * step;
    sample[i < kForgotten ? 0 : i - kForgotten] = x;
  }
  return sample;
}

}  // namespace schedbench::stats
