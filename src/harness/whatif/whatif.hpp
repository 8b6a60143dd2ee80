#pragma once

#include "simulation/costs.hpp"
#include "simulation/graph_run.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  unsigned rounds = 5;
  std::uint64_t seed = 1;
};

// Nanoseconds: the median, the least and the most.
struct TimeRange {
  double median = 0;
  double low = 0;
  double high = 0;
};

struct WhatIfCell {
  unsigned workers = 1;
  std::size_t scheduler = 0;  // in WhatIfPlan::schedulers
  TimeRange makespan{};       // predicted; the range has the rounds and the error of the model
  double ready_p99_ns = 0;    // predicted; 0: too few tasks
  sim_scaling::GraphPrediction prediction{};
  std::optional<TimeRange> measured{};  // on this machine
};

struct LeverResult {
  const Lever* lever = nullptr;
  double ratio = 1;  // of the makespan with the costs halved to that without
};

struct WhatIfResult {
  WhatIfPlan plan;
  sim_scaling::Costs costs{};
  double model_error = 0;  // the largest of measured cells with more than one worker, as a share
  std::size_t checked_cells = 0;    // that this is of
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
  std::function<std::optional<TimeRange>(unsigned workers, const std::string& scheduler)> measure;
  std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

// Fits Costs::step to the measured time on one worker, predicts all cells and levers, and compares the cells that can be measured.
WhatIfResult PredictWhatIf(const WhatIfPlan& plan, const WhatIfSources& sources);

}  // namespace schedbench::harness
