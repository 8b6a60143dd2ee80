#pragma once

#include "cli/flags/plan_from_flags.hpp"
#include "config/problems.hpp"
#include "harness/sweep/plan.hpp"
#include "registry/metric.hpp"
#include "registry/workload.hpp"

#include <string>

// How much of each cell or alternative is measured.

namespace schedbench::cli {

inline constexpr auto kBlocksOfCellFlag =
    CountFlag{"--blocks", "-b", "N",
              "Fresh processes of each cell (default: 20, or as many as an interval needs)"}
        .Checked(kSomeRounds);
inline constexpr auto kBudgetOfCellsFlag =
    TimeFlag{"--budget", "", "TIME", "Begin no cell after this time: 60s, 5m"};
inline constexpr auto kRoundsOfCellFlag =
    kRoundsFlag.Described("Measured rounds in each process").Default("3");
inline constexpr auto kWarmupOfCellFlag =
    kWarmupFlag.Described("Warm-up rounds in each process").Default("1");
inline constexpr auto kRoundLimitFlag =
    kTimeoutFlag.Described("Time limit of a round: 500ms, 10s, 2m; 0: none");
inline constexpr auto kMinEffectOfCellFlag =
    ShareFlag{"--min-effect", "", "SHARE", "Smallest difference that matters"}.Default("2%");

inline constexpr auto kRoundsOfCellFlags =
    FlagsOf(kRoundsOfCellFlag, kWarmupOfCellFlag, kMinEffectOfCellFlag);

// Sets the extent from the flags above. `blocks`: without --blocks. Draws a seed if none is given.
void SetExtent(const Arguments& arguments, std::uint32_t blocks, harness::Extent& extent);

// Sets blocks, rounds, limits and the seed of a plan whose cells are complete.
void SetExtentOfCells(const Arguments& arguments, harness::SweepPlan& plan);

// Returns the metric of this name; null, and a problem, if the workload has none that can be compared by.
const registry::Metric* MetricOf(const std::string& name, const registry::WorkloadEntry& workload,
                                 const Flag& flag, config::Problems& problems);

}  // namespace schedbench::cli
