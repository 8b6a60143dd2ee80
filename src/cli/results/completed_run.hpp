#pragma once

#include "harness/live_run.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"

namespace schedbench::cli {

// A run has failed or was interrupted. Its threads may still be running: report it with DeliverOutcome(), which ends the
// process.
struct UnfinishedRun {
  harness::Outcome outcome;
};

// Measures the rounds of a plan, without a progress line. Throws UnfinishedRun and harness::SetupError.
harness::RunResult CompletedRun(const harness::RunPlan& plan);

}  // namespace schedbench::cli
