#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/output/progress_line.hpp"
#include "harness/agent/place.hpp"
#include "harness/compare/plan.hpp"
#include "harness/sweep/plan.hpp"

#include <vector>

namespace schedbench::cli {

// Asks hello of each agent at each place, all places at the same time, and adds what is found to the places. Does not ask the agent of
// this program at a place that is known already. Throws config::InputError if one does not answer, NotComparable if one is of
// another version, revision or kind of build than here, and harness::AgentCancelled after Ctrl-C. `line`: shows how many have answered; null: nothing is shown. Main thread.
std::vector<harness::PlacePtr> Greeted(const std::vector<harness::PlacePtr>& places,
                                       const std::vector<harness::Alternative>& alternatives,
                                       ProgressLine* line = nullptr);

// The same for the plan of a sweep, which gets the places, if it has none, and with kOnEachFlag the key "machine". Does nothing without places.
void SetPlaces(const Arguments& arguments, harness::SweepPlan& plan);

// The same for a comparison: each of its workloads is compared at each place.
void SetPlaces(const Arguments& arguments, harness::ComparisonPlan& plan);

}  // namespace schedbench::cli
