#pragma once

#include "harness/sweep/analysis.hpp"
#include "harness/sweep/plan.hpp"
#include "stats/scaling.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// The growth of throughput with the number of workers. Pure functions; thread-safe.

namespace schedbench::harness {

// The keys of a plan for ScaleCurves(), in this order.
inline constexpr std::size_t kSchedulerOfScale = 0;
inline constexpr std::size_t kWorkersOfScale = 1;

struct ScalePoint {
  std::size_t cell;  // in the plan
  std::uint32_t workers;
  bool oversubscribed = false;  // more workers than CPUs
  // Ratio of the throughput to that of the fewest workers (1 for these). None: too few blocks.
  std::optional<stats::RatioEstimate> speedup = std::nullopt;
  std::optional<double> point = std::nullopt;  // ratio of the medians, also without an interval
  // The cell with fewer workers that is proven faster; none if no cell is.
  std::optional<std::size_t> slower_than = std::nullopt;
};

struct ScaleCurve {
  std::vector<ScalePoint> points;  // sorted by the number of workers
  stats::ScalingFits fits;  // fits of the points that are not oversubscribed and have results
  std::size_t fitted = 0;   // number of these points
};

// Returns a curve for each scheduler of the plan. `cpus`: the CPUs that the process may use.
std::vector<ScaleCurve> ScaleCurves(const SweepPlan& plan, const ExperimentData& data,
                                    const SweepAnalysis& analysis, std::uint32_t cpus);

}  // namespace schedbench::harness
