#include "harness/whatif/whatif.hpp"

#include "base/stable_sort.hpp"
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
       [](Costs& costs) { costs.create /= 2; }},
      {"park", "a parked worker is woken in half of the time",
       [](Costs& costs) {
         costs.wake /= 2;
         costs.wake_latency /= 2;
       }},
      {"steal", "cache lines move between workers in half of the time",
       [](Costs& costs) { costs.transfer /= 2; }},
      {"lock", "atomic operations and fences take half as long",
       [](Costs& costs) {
         costs.locked /= 2;
         costs.fence /= 2;
         costs.hit /= 2;
       }},
  };
  return levers;
}

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
      sources_.progress(fmt::format("simulating, workers: {}", cell.workers));
      cell.prediction = Simulated(result_.costs, cell.workers, cell.scheduler);
      cell.makespan = TimeRange::Of(cell.prediction.makespans_ns);
      if (const auto& ready = cell.prediction.ready_p99_ns) {
        cell.ready_p99 = {.median = (*ready)[0], .low = (*ready)[1], .high = (*ready)[2]};
      }
    }
    CompareWithMeasured();
    PredictLevers();
    return std::move(result_);
  }

 private:
  // Measures all cells in turns, so that a change of the machine affects all alike. The lower
  // quartile of the passes counts: a disturbance makes a pass slower.
  void MeasureCells() {
    for (const unsigned workers : result_.plan.workers) {
      for (std::size_t i = 0; i < result_.plan.schedulers.size(); ++i) {
        result_.cells.push_back({.workers = workers, .scheduler = i});
      }
    }
    const unsigned check = result_.plan.check_workers;
    if (check > 1 && std::ranges::find(result_.plan.workers, check) == result_.plan.workers.end()) {
      result_.cells.push_back({.workers = check, .scheduler = 0});
      is_check_hidden_ = true;
    }
    // The fit needs one worker, even if there is no such cell.
    const auto one = std::ranges::find_if(result_.cells, [](const WhatIfCell& cell) {
      return cell.workers == 1 && cell.scheduler == 0;
    });
    const auto one_worker = static_cast<std::size_t>(one - result_.cells.begin());
    constexpr int kPasses = 9;  // arbitrary
    std::vector<std::vector<MeasuredCell>> measured(std::max(result_.cells.size(), one_worker + 1));
    for (int pass = 0; pass < kPasses; ++pass) {
      for (std::size_t i = 0; i < measured.size(); ++i) {
        const bool is_cell = i < result_.cells.size();
        const unsigned workers = is_cell ? result_.cells[i].workers : 1;
        const std::size_t scheduler = is_cell ? result_.cells[i].scheduler : 0;
        sources_.progress(fmt::format("replaying here, workers: {}", workers));
        if (const auto replayed = sources_.measure(workers, result_.plan.schedulers[scheduler])) {
          measured[i].push_back(*replayed);
        }
      }
    }
    one_worker_ = LowerQuartileOf(measured[one_worker]);
    for (std::size_t i = 0; i < result_.cells.size(); ++i) {
      result_.cells[i].measured = LowerQuartileOf(measured[i]);
    }
  }

  static std::optional<MeasuredCell> LowerQuartileOf(std::vector<MeasuredCell>& passes) {
    if (passes.empty()) {
      return std::nullopt;
    }
    std::ranges::sort(passes, {}, [](const MeasuredCell& cell) { return cell.makespan.median; });
    return passes[passes.size() / 4];
  }

  GraphPrediction Simulated(const Costs& costs, unsigned workers, std::size_t scheduler) const {
    return sources_.simulate(costs, {.graph = result_.plan.graph,
                                     .is_open = result_.plan.is_open,
                                     .scheduler = result_.plan.schedulers[scheduler],
                                     .workers = workers,
                                     .seed = result_.plan.seed,
                                     .rounds = result_.plan.rounds});
  }

  // Fits the costs of a replay's steps that no probe shows, such as cache misses. It uses one
  // worker, so the predictions for other numbers stay independent of it.
  void FitOneWorker() {
    if (!one_worker_) {
      return;
    }
    const double measured = one_worker_->makespan.median;
    constexpr int kPasses = 6;
    constexpr double kExact = 0.005;
    double best_error = -1;
    double best_step = 0;
    std::pair<double, double> before{0, 0};  // step, error
    for (int pass = 0; pass < kPasses; ++pass) {
      sources_.progress("fitting the time on one worker");
      const double ns = TimeRange::Of(Simulated(result_.costs, 1, 0).makespans_ns).median;
      const double error = ns - measured;
      if (best_error < 0 || std::abs(error) < best_error) {
        best_error = std::abs(error);
        best_step = result_.costs.step;
      }
      if (std::abs(error) < kExact * measured) {
        break;
      }
      // First change it by a nanosecond to see the effect.
      double change = error > 0 ? -1 : 1;
      const double moved = result_.costs.step - before.first;
      if (pass > 0 && std::abs(error - before.second) > 1e-9 && std::abs(moved) > 1e-9) {
        change = -error * moved / (error - before.second);
      }
      before = {result_.costs.step, error};
      result_.costs.step = std::clamp(result_.costs.step + change, -1e4, 1e5);
    }
    result_.costs.step = best_step;
    result_.fit_error = best_error / measured;
  }

  void CompareWithMeasured() {
    for (const WhatIfCell& cell : result_.cells) {
      if (cell.measured && cell.workers > 1) {
        ++result_.checked_cells;
        const double ratio = cell.makespan.median / cell.measured->makespan.median;
        result_.model_error = std::max({result_.model_error, ratio - 1, 1 / ratio - 1});
      }
      if (cell.measured && cell.measured->ready_p99 && cell.ready_p99) {
        const double ratio = cell.ready_p99->median / cell.measured->ready_p99->median;
        result_.ready_factor = std::max({result_.ready_factor.value_or(1), ratio, 1 / ratio});
      }
    }
    if (is_check_hidden_) {
      result_.cells.pop_back();
    }
    for (WhatIfCell& cell : result_.cells) {
      cell.makespan.low /= 1 + result_.model_error;
      cell.makespan.high *= 1 + result_.model_error;
      if (cell.ready_p99) {
        cell.ready_p99->low /= result_.ready_factor.value_or(1);
        cell.ready_p99->high *= result_.ready_factor.value_or(1);
      }
    }
  }

  void PredictLevers() {
    sources_.progress("simulating faster schedulers");
    const TimeRange now =
        TimeRange::Of(Simulated(result_.costs, result_.plan.lever_workers, 0).makespans_ns);
    for (const Lever& lever : Levers()) {
      Costs costs = result_.costs;
      lever.halve(costs);
      const double then =
          TimeRange::Of(Simulated(costs, result_.plan.lever_workers, 0).makespans_ns).median;
      result_.levers.push_back({.lever = &lever,
                                .ratio = then / now.median,
                                .spread = (now.high - now.low) / 2 / now.median});
    }
    StableSort(result_.levers, {}, &LeverResult::ratio);
  }

  const WhatIfSources& sources_;
  WhatIfResult result_;
  std::optional<MeasuredCell> one_worker_;  // measurement of the first scheduler on one worker
  bool is_check_hidden_ = false;            // the last cell is only for the check
};

}  // namespace

TimeRange TimeRange::Of(const std::vector<double>& sample) {
  const auto [low, high] = std::ranges::minmax(sample);
  return {.median = stats::Median(sample), .low = low, .high = high};
}

WhatIfResult PredictWhatIf(const WhatIfPlan& plan, const WhatIfSources& sources) {
  return Prediction(plan, sources).Take();
}

}  // namespace schedbench::harness
