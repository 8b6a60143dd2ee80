#pragma once

#include "simulation/costs.hpp"
#include "simulation/graph_run.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a task graph would take with other numbers of workers, other settings, and a scheduler that is faster in one respect: predictions
// of the simulator, compared with this machine where it has enough CPUs.

namespace schedbench::harness {

// A change of the scheduler whose use is predicted: some costs are halved.
struct Lever {
  std::string_view name;  // "switch"
  std::string_view doc;
  void (*halve)(sim_scaling::Costs& costs);
};

// All of them.
const std::vector<Lever>& Levers();

struct WhatIfPlan {
  std::string graph;  // a file that the simulator can read
  bool is_open = false;
  std::vector<unsigned> workers;  // ascending
  std::vector<std::string>
      schedulers;              // "fast:lifo_limit=0"; at least one, the first is the reference
  unsigned lever_workers = 1;  // where the levers are predicted
  unsigned check_workers = 1;  // that this machine can measure: the model is checked with so many
  unsigned rounds = 5;
  std::uint64_t seed = 1;
};

// Nanoseconds: the median of rounds with the least and the most, or a percentile over all rounds with its 95 % interval.
struct TimeRange {
  double median = 0;
  double low = 0;
  double high = 0;

  // Requires: at least one value.
  static TimeRange Of(const std::vector<double>& sample);
};

// What replays on this machine took.
struct MeasuredCell {
  TimeRange makespan{};
  std::optional<TimeRange> ready_p99{};  // none: too few tasks
};

struct WhatIfCell {
  unsigned workers = 1;
  std::size_t scheduler = 0;  // in WhatIfPlan::schedulers
  // Predicted; the ranges have the rounds and the errors of the model.
  TimeRange makespan{};
  std::optional<TimeRange> ready_p99{};  // none: too few tasks
  sim_scaling::GraphPrediction prediction{};
  std::optional<MeasuredCell> measured{};
};

struct LeverResult {
  const Lever* lever = nullptr;
  double ratio = 1;   // of the makespan with the costs halved to that without
  double spread = 0;  // half of the range of the rounds, as a share: less is no difference
};

struct WhatIfResult {
  WhatIfPlan plan;
  sim_scaling::Costs costs{};
  double fit_error = 0;  // of the time on one worker, as a share
  double model_error =
      0;  // the largest of measured cells with more than one worker: by how much the larger time is longer
  std::size_t checked_cells = 0;  // that this is of
  // The largest factor between a predicted and a measured ready p99, in either direction; none: none was measured.
  std::optional<double> ready_factor{};
  std::vector<WhatIfCell> cells;    // by workers, then by scheduler
  std::vector<LeverResult> levers;  // the most useful first
};

// The sources of numbers. Each may throw.
struct WhatIfSources {
  std::function<sim_scaling::Costs()> calibrate;
  std::function<sim_scaling::GraphPrediction(const sim_scaling::Costs&,
                                             const sim_scaling::GraphRun&)>
      simulate;
  // The replay on this machine; none: it has too few CPUs.
  std::function<std::optional<MeasuredCell>(unsigned workers, const std::string& scheduler)>
      measure;
  std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

// Errors from which predictions are not to be trusted. Arbitrary.
inline constexpr double kLargeError = 0.2;

// Fits Costs::step to the measured time on one worker, predicts all cells and levers, and compares the cells that can be measured.
WhatIfResult PredictWhatIf(const WhatIfPlan& plan, const WhatIfSources& sources);

}  // namespace schedbench::harness
