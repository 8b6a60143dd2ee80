#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "harness/slo_search.hpp"

#include <vector>

namespace schedbench::cli {

inline constexpr Flag kSloFlag =
    Flag{"--slo", "", "LATENCY<TIME",
         "Search for the largest rate of an open load at which this holds: p99.9<200us"}
        .Repeatable();

// Returns the limits of the flag. None, and problems, if they are wrong, or if this workload with these parameters cannot
// decide whether they hold.
std::vector<harness::LatencyLimit> LimitsFromFlags(const Arguments& arguments,
                                                   const registry::WorkloadEntry& workload,
                                                   const config::Settings& parameters,
                                                   config::Problems& problems);

}  // namespace schedbench::cli
