#pragma once

#include "cli/flags/plan_from_flags.hpp"
#include "config/problems.hpp"
#include "harness/sweep/plan.hpp"
#include "registry/metric.hpp"
#include "registry/workload.hpp"

#include <string>

// How much of each cell or alternative is measured.

namespace schedbench::cli {

inline constexpr Flag kBlocksOfCellFlag =
    Flag{"--blocks", "-b", "N",
         "Fresh processes of each cell (default: 20, or as many as an interval needs)"}
        .Checked(kSomeRounds);
inline constexpr Flag kBudgetOfCellsFlag =
    Flag{"--budget", "", "TIME", "Begin no cell after this time: 60s, 5m"}.Checked(kTime);
inline constexpr Flag kRoundsOfCellFlag =
    kRoundsFlag.Described("Measured rounds in each process").Default("3");
inline constexpr Flag kWarmupOfCellFlag =
    kWarmupFlag.Described("Warm-up rounds in each process").Default("1");
inline constexpr Flag kRoundLimitFlag =
    kTimeoutFlag.Described("Time limit of a round: 500ms, 10s, 2m; 0: none");
inline constexpr Flag kMinEffectOfCellFlag =
    Flag{"--min-effect", "", "SHARE", "Smallest difference that matters"}.Checked(kShare).Default(
        "2%");

inline constexpr auto kRoundsOfCellFlags =
    FlagsOf(kRoundsOfCellFlag, kWarmupOfCellFlag, kMinEffectOfCellFlag);

// Sets the number of blocks from the flag `blocks`, or to `otherwise` if it has no value and no
// default. Sets rounds, warm-up, limit and seed from the flags above, and draws a seed if none is
// given.
void SetExtent(const Arguments& arguments, const Flag& blocks, std::uint32_t otherwise,
               harness::Extent& extent);

// Sets blocks, rounds, limits and the seed of a plan whose cells are complete.
void SetExtentOfCells(const Arguments& arguments, harness::SweepPlan& plan);

// Returns the metric of this name; null, and a problem, if the workload has none that can be compared by.
const registry::Metric* MetricOf(const std::string& name, const registry::WorkloadEntry& workload,
                                 const Flag& flag, config::Problems& problems);

}  // namespace schedbench::cli
