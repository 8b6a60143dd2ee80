#include "cli/results/completed_run.hpp"

#include "registry/workload.hpp"

#include <utility>

namespace schedbench::cli {

harness::Outcome MeasureRounds(const harness::RunPlan& plan, const harness::Progress& progress) {
  // Capture by value: the thread of an interrupted run continues.
  return harness::RunInterruptibly(
      plan, [plan, progress](harness::Recorder& recorder, harness::WatchPoint& watch) {
        return harness::ExecutePlan(plan, recorder, progress, watch);
      });
}

config::Settings ReplayParameters(const std::string& graph, bool is_open) {
  config::Settings parameters(registry::FindWorkload("replay")->schema());
  parameters.Set("graph", config::Value(graph), {});
  parameters.Set("loop", config::Value(std::string(is_open ? "open" : "closed")), {});
  return parameters;
}

harness::RunResult CompletedRun(const harness::RunPlan& plan) {
  harness::Outcome outcome = MeasureRounds(plan, [](auto...) {});
  if (outcome.ending != harness::Ending::kComplete) {
    throw UnfinishedRun{std::move(outcome)};
  }
  return std::move(outcome.result);
}

}  // namespace schedbench::cli
