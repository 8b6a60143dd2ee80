#include "cli/results/completed_run.hpp"

#include "harness/runner.hpp"

#include <utility>

namespace schedbench::cli {

harness::RunResult CompletedRun(const harness::RunPlan& plan) {
  // By value: the thread of an interrupted run continues.
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [plan](harness::Recorder& recorder, harness::WatchPoint& watch) {
        return harness::ExecutePlan(
            plan, recorder, [](auto...) {}, watch);
      });
  if (outcome.ending != harness::Ending::kComplete) {
    throw UnfinishedRun{std::move(outcome)};
  }
  return std::move(outcome.result);
}

}  // namespace schedbench::cli
