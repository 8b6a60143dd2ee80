#pragma once

#include "harness/live_run.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"
#include "harness/runner.hpp"

#include <string>

namespace schedbench::cli {

// Measures the rounds of a plan. Throws harness::SetupError.
harness::Outcome MeasureRounds(const harness::RunPlan& plan, const harness::Progress& progress);

// Returns the parameters of the workload replay. `is_open`: whether its load is open.
config::Settings ReplayParameters(const std::string& graph, bool is_open);

// A run has failed or was interrupted. Its threads may still be running: report it with
// DeliverOutcome(), which ends the process.
struct UnfinishedRun {
  harness::Outcome outcome;
};

// Measures a plan's rounds without a progress line. Throws UnfinishedRun, harness::SetupError.
harness::RunResult CompletedRun(const harness::RunPlan& plan);

}  // namespace schedbench::cli
