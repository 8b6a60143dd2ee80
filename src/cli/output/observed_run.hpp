#pragma once

#include "cli/flags/sampling.hpp"
#include "config/problems.hpp"
#include "harness/audit/audit.hpp"
#include "harness/plan.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace schedbench::cli {

// Returns the plan of a round here; adds to `problems`. Requires: not a foreign runtime.
harness::RunPlan RunPlanOf(const harness::Alternative& alternative,
                           const harness::ComparedWorkload& workload, const harness::Extent& extent,
                           config::Problems& problems);

// Runs the plan with enough rounds to fill the time, at least one, and observes its workers, and
// `observe`. If the run fails or is interrupted, it does not return: the process ends with its
// report, then `deliver`, and its code. `finished`: what was finished before, for the report.
SampledRun ObservedRun(harness::RunPlan plan, std::chrono::nanoseconds time,
                       const profile::Observe& observe, const std::function<void()>& deliver,
                       const std::string& finished);

// Splits the time of the workers of such a run. `name`: the scheduler's name in the report.
harness::AuditedScheduler Audited(const std::string& name, const SampledRun& run);

}  // namespace schedbench::cli
