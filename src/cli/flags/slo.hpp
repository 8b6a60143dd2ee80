#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "harness/slo_search.hpp"

#include <string>
#include <vector>

namespace schedbench::cli {

inline constexpr Flag kSloFlag =
    Flag{"--slo", "", "LATENCY<TIME",
         "Find the largest rate of an open load at which this holds: p99.9<200us"}
        .Repeatable();

// Returns the limits that the flag gives; none, and problems, where they are wrong or this workload with these parameters
// cannot tell whether they hold.
std::vector<harness::LatencyLimit> LimitsFromFlags(const Arguments& arguments,
                                                   const registry::WorkloadEntry& workload,
                                                   const config::Settings& parameters,
                                                   config::Problems& problems);

}  // namespace schedbench::cli
