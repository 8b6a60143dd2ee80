#pragma once

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace schedbench::workloads {

// The middle of some times, the one that 99 % of them do not exceed, and the longest. Zeros where there is none.
inline std::array<double, 3> MedianP99AndMax(std::span<const std::uint64_t> times) {
  if (times.empty()) {
    return {};
  }
  const std::vector<double> sample(times.begin(), times.end());
  return {stats::Median(sample), stats::Quantile(sample, 0.99), *std::ranges::max_element(sample)};
}

}  // namespace schedbench::workloads
