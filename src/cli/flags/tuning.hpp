#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "harness/tune/plan.hpp"

#include <string_view>

// The plan of tune from the command line.

namespace schedbench::cli {

inline constexpr std::string_view kAllFields = "all";
inline constexpr std::string_view kNoHoldOut = "none";

inline constexpr auto kSearchedFlag = kWorkloadsFlag.Default("pingpong");
inline constexpr auto kObjectiveFlag =
    TextFlag{"--objective", "", "NAME",
             "What to improve: throughput, p99, cpu or memory; where the workloads fix their "
             "throughput, p99 replaces the default"}
        .Checked(OneOf(harness::kObjectiveNames))
        .Default("throughput")
        .Repeatable();
inline constexpr auto kHoldOutFlag = TextFlag{"--hold-out", "", "NAME[:KEY=VALUE,...]|none",
                                              "A workload that only the comparison measures"}
                                         .Usually("two that are not searched")
                                         .Completed(Names::kWorkload)
                                         .Repeatable();
inline constexpr auto kCandidatesFlag =
    NumberFlag{"--candidates", "", "N",
               "Most settings that the search measures, the default included"}
        .Usually("28, or 82 for more than 8 fields")
        .Checked(WholeNumber(2, 10'000));

// Makes the plan that the flags describe. Throws config::InputError with all problems.
harness::TunePlan TunePlanOf(const Arguments& arguments);

}  // namespace schedbench::cli
