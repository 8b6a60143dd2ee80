#pragma once

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace schedbench::workloads {

// Returns the median, the 99th percentile and the maximum of some times; zeros if there are none.
inline std::array<double, 3> MedianP99AndMax(std::span<const std::uint64_t> times) {
  if (times.empty()) {
    return {};
  }
  const std::vector<double> sample(times.begin(), times.end());
  return {stats::Median(sample), stats::Quantile(sample, 0.99), *std::ranges::max_element(sample)};
}

}  // namespace schedbench::workloads
