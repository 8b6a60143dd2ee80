#pragma once

#include "harness/sweep/analysis.hpp"
#include "harness/sweep/plan.hpp"
#include "stats/scaling.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// How throughput grows with the number of workers. Pure functions; thread-safe.

namespace schedbench::harness {

// The keys of such a plan, in this order.
inline constexpr std::size_t kSchedulerOfScale = 0;
inline constexpr std::size_t kWorkersOfScale = 1;

struct ScalePoint {
  std::size_t cell;  // in the plan
  std::uint32_t workers;
  bool oversubscribed = false;  // more workers than CPUs
  // Of the throughput to that of the fewest workers, which is 1 if there is a cell for it. None: too few blocks.
  std::optional<stats::RatioEstimate> speedup = std::nullopt;
  std::optional<double> point =
      std::nullopt;  // the ratio of the medians, also where there is no interval
  // The cell with fewer workers that is proven faster; none if there is none.
  std::optional<std::size_t> slower_than = std::nullopt;
};

struct ScaleCurve {
  std::vector<ScalePoint> points;  // by the number of workers
  // Of the points that are not oversubscribed and have results.
  stats::ScalingFits fits;
  std::size_t fitted = 0;  // points
};

// Returns a curve for each scheduler of the plan. `cpus`: that the process may use.
std::vector<ScaleCurve> ScaleCurves(const SweepPlan& plan, const ExperimentData& data,
                                    const SweepAnalysis& analysis, std::uint32_t cpus);

}  // namespace schedbench::harness
