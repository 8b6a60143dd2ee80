#pragma once

#include "cli/command.hpp"
#include "harness/slo_search.hpp"

#include <vector>

namespace schedbench::cli {

// Looks for the largest rate of the plan's open load at which the limits hold, tells each rate that is tried on stderr, and
// delivers the answer. Ends the process where it is cut short. Requires: at least one limit.
ExitCode RunSloSearch(const Arguments& arguments, const harness::RunPlan& plan,
                      const std::vector<harness::LatencyLimit>& limits);

}  // namespace schedbench::cli
