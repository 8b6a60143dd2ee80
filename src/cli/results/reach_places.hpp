#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/agent/place.hpp"
#include "harness/compare/plan.hpp"
#include "harness/sweep/plan.hpp"

#include <vector>

namespace schedbench::cli {

// Asks hello of each agent on each machine, all at the same time, and adds the answers to the
// machines. Does not ask this program's agent on a known machine. Throws config::InputError if an
// agent does not answer, NotComparable if its version, revision or kind of build differs, and
// harness::AgentCancelled after Ctrl-C. For the main thread.
std::vector<harness::PlacePtr> Greeted(const Arguments& arguments,
                                       const std::vector<harness::PlacePtr>& places,
                                       const std::vector<harness::Alternative>& alternatives);

// Does what Greeted() does for the plan of a sweep, which gets the machines if it lacks them, and
// with kOnEachFlag the key "machine". Does nothing without machines.
void SetPlaces(const Arguments& arguments, harness::SweepPlan& plan);

// Does what Greeted() does for a comparison: each of its workloads is compared on each machine.
void SetPlaces(const Arguments& arguments, harness::ComparisonPlan& plan);

}  // namespace schedbench::cli
