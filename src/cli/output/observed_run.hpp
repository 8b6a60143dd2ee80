#pragma once

#include "cli/flags/sampling.hpp"
#include "config/problems.hpp"
#include "harness/audit/audit.hpp"
#include "harness/plan.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace schedbench::cli {

// Returns the plan of one round of the alternative in this process. Adds to `problems`. Requires: it is no foreign runtime.
harness::RunPlan RunPlanOf(const harness::Alternative& alternative,
                           const harness::ComparedWorkload& workload, const harness::Extent& extent,
                           config::Problems& problems);

// Runs the plan, with as many rounds as take the time, at least one, and observes what its workers do, and `observe`.
// Does not return if the run fails or is interrupted: the process ends with the report of that, then `deliver`, and the code of that.
// `finished`: what was finished before, for the report.
SampledRun ObservedRun(harness::RunPlan plan, std::chrono::nanoseconds time,
                       const profile::Observe& observe, const std::function<void()>& deliver,
                       const std::string& finished);

// Splits the time of the workers of such a run. `name`: of the scheduler in the report.
harness::AuditedScheduler Audited(const std::string& name, const SampledRun& run);

}  // namespace schedbench::cli
