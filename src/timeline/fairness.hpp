#pragma once

#include "timeline/timeline.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::timeline {

// The fairness of the workers' time among fibers that all wanted to run, by windows. Jain's index
// of n times is (their sum)^2 / (n * the sum of their squares): 1 if all are equal, 1/n if one
// fiber has all (R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination,
// 1984).
struct Fairness {
  std::uint64_t window_ns = 0;
  // Windows in which at least two fibers were ready or ran nearly all the time; 0: no index.
  std::size_t windows = 0;
  std::size_t fibers = 0;  // the median number of such fibers
  double median = 0;       // median of Jain's index over the windows
  double least = 0;

  bool operator==(const Fairness&) const = default;
};

inline constexpr std::size_t kFairnessWindows = 10;

// Divides the timeline into kFairnessWindows windows.
Fairness FairnessOf(const Timeline& timeline);

}  // namespace schedbench::timeline
