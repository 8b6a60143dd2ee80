#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "config/settings.hpp"
#include "harness/tune/plan.hpp"

#include <string_view>
#include <vector>

// What tune measures, from the command line.

namespace schedbench::cli {

inline constexpr std::string_view kAllFields = "all";
inline constexpr std::string_view kNoHoldOut = "none";

inline constexpr auto kTuneWorkloadsFlag = TextFlag{"--workload", "-w", "NAME[:KEY=VALUE,...]",
                                                    "What the search measures (default: pingpong)"}
                                               .Completed(Names::kWorkload)
                                               .Default("pingpong")
                                               .Repeatable();
inline constexpr auto kTuneOverFlag =
    TextFlag{"--over", "", "FIELD[=LIST]|all",
             "A field of the config to vary, with values, or with some around its own; all: every "
             "field that has an effect"}
        .Completed(Names::kTunedField)
        .Repeatable();
inline constexpr auto kObjectiveFlag =
    TextFlag{
        "--objective", "", "NAME",
        "What to improve: throughput (the default; p99 where the workloads fix their throughput), "
        "p99, cpu or memory"}
        .Checked(OneOf(harness::kObjectiveNames))
        .Default("throughput")
        .Repeatable();
inline constexpr auto kHoldOutFlag =
    TextFlag{"--hold-out", "", "NAME[:KEY=VALUE,...]|none",
             "A workload that only the comparison measures (default: two that are not searched)"}
        .Completed(Names::kWorkload)
        .Repeatable();
inline constexpr auto kCandidatesFlag =
    NumberFlag{
        "--candidates", "", "N",
        "Most settings that the search measures, the default included (default: 28, or 82 for "
        "more than 8 fields)"}
        .Checked(WholeNumber(2, 10'000));
inline constexpr auto kTuneBlocksFlag = kBlocksOfCellFlag.Described(
    "Blocks of the comparison (default: 20, or as many as the intervals need)");

inline constexpr auto kTuneBudgetFlag = kBudgetOfCellsFlag.Described(
    "Begin no block of the search after 60 % of this time, and none after all of it: 60s, 5m");

struct TuneRequest {
  harness::TunePlan plan;
  std::vector<config::Settings> settings = {};  // of each candidate, complete
};

// Makes the plan that the flags describe. Throws config::InputError with all problems.
TuneRequest TuneRequestOf(const Arguments& arguments);

}  // namespace schedbench::cli
