#pragma once

#include "simulation/costs.hpp"
#include "simulation/graph_run.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Predictions of the simulator for a task graph with other numbers of workers, other settings, and
// a scheduler that is faster in one respect. They are compared with this machine if it has the
// CPUs.

namespace schedbench::harness {

// A change of the scheduler whose benefit is predicted: some costs are halved.
struct Lever {
  std::string_view name;  // "switch"
  std::string_view doc;
  void (*halve)(sim_scaling::Costs& costs);
};

struct WhatIfPlan {
  std::string graph;  // file that the simulator can read
  bool is_open = false;
  std::vector<unsigned> workers;  // ascending
  // "fast:lifo_limit=0"; at least one; the first is the reference.
  std::vector<std::string> schedulers;
  unsigned lever_workers = 1;  // number of workers for which the levers are predicted
  unsigned check_workers = 1;  // number that this machine can measure, for a check of the model
  unsigned rounds = 5;
  std::uint64_t seed = 1;
};

// Nanoseconds: the rounds' median, least and most, or a percentile with its 95 % interval.
struct TimeRange {
  double median = 0;
  double low = 0;
  double high = 0;

  // Requires: at least one value.
  static TimeRange Of(const std::vector<double>& sample);
};

// The times of replays on this machine.
struct MeasuredCell {
  TimeRange makespan{};
  std::optional<TimeRange> ready_p99{};  // none: too few tasks
};

struct WhatIfCell {
  unsigned workers = 1;
  std::size_t scheduler = 0;  // index in WhatIfPlan::schedulers
  // Predictions; the ranges cover the rounds and the errors of the model.
  TimeRange makespan{};
  std::optional<TimeRange> ready_p99{};  // none: too few tasks
  sim_scaling::GraphPrediction prediction{};
  std::optional<MeasuredCell> measured{};
};

struct LeverResult {
  const Lever* lever = nullptr;
  double ratio = 1;  // ratio of the makespan with halved costs to that without
  // Half of the range of the rounds, as a share: a smaller effect does not count.
  double spread = 0;
};

struct WhatIfResult {
  WhatIfPlan plan;
  sim_scaling::Costs costs{};
  double fit_error = 0;  // error of the time on one worker, as a share
  // Largest share by which the longer of a measured and a predicted time exceeds the shorter one,
  // over measured cells with more than one worker.
  double model_error = 0;
  std::size_t checked_cells = 0;  // number of these cells
  // Largest factor between predicted and measured ready p99, either way; none: not measured.
  std::optional<double> ready_factor{};
  std::vector<WhatIfCell> cells;    // sorted by workers, then by scheduler
  std::vector<LeverResult> levers;  // the most useful first
};

// The sources of numbers. Each may throw.
struct WhatIfSources {
  std::function<sim_scaling::Costs()> calibrate;
  std::function<sim_scaling::GraphPrediction(const sim_scaling::Costs&,
                                             const sim_scaling::GraphRun&)>
      simulate;
  // Replays on this machine; none: it has too few CPUs.
  std::function<std::optional<MeasuredCell>(unsigned workers, const std::string& scheduler)>
      measure;
  std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

// Predictions with larger errors are not reliable (arbitrary).
inline constexpr double kLargeError = 0.2;

// Fits Costs::step to the measured time on one worker, predicts all cells and levers, and compares
// the cells that can be measured.
WhatIfResult PredictWhatIf(const WhatIfPlan& plan, const WhatIfSources& sources);

}  // namespace schedbench::harness
