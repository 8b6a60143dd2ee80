#include "harness/whatif/whatif.hpp"

#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace schedbench::harness {

namespace {

using sim_scaling::Costs;
using sim_scaling::GraphPrediction;
using sim_scaling::GraphRun;

class Prediction {
 public:
  Prediction(const WhatIfPlan& plan, const WhatIfSources& sources)
      : sources_(sources) {
    result_.plan = plan;
  }

  WhatIfResult Take() && {
    sources_.progress("measuring what operations cost here");
    result_.costs = sources_.calibrate();
    MeasureCells();
    FitOneWorker();
    for (WhatIfCell& cell : result_.cells) {
      sources_.progress(fmt::format("simulating {} workers", cell.workers));
      cell.prediction = Simulated(result_.costs, cell.workers, cell.scheduler);
      cell.makespan = RangeOf(cell.prediction.makespans_ns);
      cell.ready_p99_ns = cell.prediction.ready_p99_ns;
    }
    CompareWithMeasured();
    PredictLevers();
    return std::move(result_);
  }

 private:
  static TimeRange RangeOf(const std::vector<double>& sample) {
    const auto [low, high] = std::ranges::minmax(sample);
    return {.median = stats::Median(sample), .low = low, .high = high};
  }

  // All of them in turns, so that a change of the machine meets all alike. The median of the passes counts.
  void MeasureCells() {
    for (const unsigned workers : result_.plan.workers) {
      for (std::size_t i = 0; i < result_.plan.schedulers.size(); ++i) {
        result_.cells.push_back({.workers = workers, .scheduler = i});
      }
    }
    constexpr int kPasses = 3;  // arbitrary
    std::vector<std::vector<TimeRange>> measured(result_.cells.size() + 1);
    for (int pass = 0; pass < kPasses; ++pass) {
      for (std::size_t i = 0; i < measured.size(); ++i) {
        const bool is_cell = i < result_.cells.size();
        const unsigned workers = is_cell ? result_.cells[i].workers : 1;
        const std::size_t scheduler = is_cell ? result_.cells[i].scheduler : 0;
        sources_.progress(fmt::format("replaying with {} workers", workers));
        if (const auto range = sources_.measure(workers, result_.plan.schedulers[scheduler])) {
          measured[i].push_back(*range);
        }
      }
    }
    for (std::size_t i = 0; i < measured.size(); ++i) {
      (i < result_.cells.size() ? result_.cells[i].measured : one_worker_) = MedianOf(measured[i]);
    }
  }

  static std::optional<TimeRange> MedianOf(std::vector<TimeRange>& ranges) {
    if (ranges.empty()) {
      return std::nullopt;
    }
    std::ranges::sort(ranges, {}, &TimeRange::median);
    return ranges[ranges.size() / 2];
  }

  GraphPrediction Simulated(const Costs& costs, unsigned workers, std::size_t scheduler) const {
    return sources_.simulate(costs, {.graph = result_.plan.graph,
                                     .is_open = result_.plan.is_open,
                                     .scheduler = result_.plan.schedulers[scheduler],
                                     .workers = workers,
                                     .seed = result_.plan.seed,
                                     .rounds = result_.plan.rounds});
  }

  // The steps of a replay have costs that no probe shows: their caches. One worker shows them without any of what the others predict.
  void FitOneWorker() {
    const std::optional<TimeRange>& measured = one_worker_;
    if (!measured) {
      return;
    }
    constexpr int kPasses = 6;
    constexpr double kExact = 0.005;
    double best_error = -1;
    double best_step = 0;
    std::pair<double, double> before{0, 0};  // step, error
    for (int pass = 0; pass < kPasses; ++pass) {
      sources_.progress("fitting the time on one worker");
      const double ns = RangeOf(Simulated(result_.costs, 1, 0).makespans_ns).median;
      const double error = ns - measured->median;
      if (best_error < 0 || std::abs(error) < best_error) {
        best_error = std::abs(error);
        best_step = result_.costs.step;
      }
      if (std::abs(error) < kExact * measured->median) {
        break;
      }
      // First a nanosecond, to see what it changes.
      double change = error > 0 ? -1 : 1;
      const double moved = result_.costs.step - before.first;
      if (pass > 0 && std::abs(error - before.second) > 1e-9 && std::abs(moved) > 1e-9) {
        change = -error * moved / (error - before.second);
      }
      before = {result_.costs.step, error};
      result_.costs.step = std::clamp(result_.costs.step + change, -1e4, 1e5);
    }
    result_.costs.step = best_step;
  }

  void CompareWithMeasured() {
    for (const WhatIfCell& cell : result_.cells) {
      if (cell.measured && cell.workers > 1) {
        ++result_.checked_cells;
        result_.model_error = std::max(result_.model_error,
                                       std::abs(cell.makespan.median / cell.measured->median - 1));
      }
    }
    for (WhatIfCell& cell : result_.cells) {
      cell.makespan.low *= 1 - std::min(result_.model_error, 0.99);
      cell.makespan.high *= 1 + result_.model_error;
    }
  }

  void PredictLevers() {
    sources_.progress("simulating faster schedulers");
    const double now =
        RangeOf(Simulated(result_.costs, result_.plan.lever_workers, 0).makespans_ns).median;
    for (const Lever& lever : Levers()) {
      Costs costs = result_.costs;
      lever.halve(costs);
      const double then =
          RangeOf(Simulated(costs, result_.plan.lever_workers, 0).makespans_ns).median;
      result_.levers.push_back({.lever = &lever, .ratio = then / now});
    }
    std::ranges::stable_sort(result_.levers, {}, &LeverResult::ratio);
  }

  const WhatIfSources& sources_;
  WhatIfResult result_;
  std::optional<TimeRange> one_worker_;  // measured, of the first scheduler
};

}  // namespace

const std::vector<Lever>& Levers() {
  static const std::vector<Lever> levers{
      {"switch", "starts and resumes of fibers take half as long",
       [](Costs& costs) {
         costs.start /= 2;
         costs.task /= 2;
         for (double& ns : costs.resume) {
           ns /= 2;
         }
       }},
      {"spawn", "the allocation of a fiber takes half as long",
       [](Costs& costs) {
         costs.create /= 2;
       }},
      {"park", "a parked worker is woken in half of the time",
       [](Costs& costs) {
         costs.wake /= 2;
         costs.wake_latency /= 2;
       }},
      {"steal", "cache lines move between workers in half of the time",
       [](Costs& costs) {
         costs.transfer /= 2;
       }},
      {"lock", "atomic operations and fences take half as long",
       [](Costs& costs) {
         costs.locked /= 2;
         costs.fence /= 2;
         costs.hit /= 2;
       }},
  };
  return levers;
}

WhatIfResult PredictWhatIf(const WhatIfPlan& plan, const WhatIfSources& sources) {
  return Prediction(plan, sources).Take();
}

}  // namespace schedbench::harness
