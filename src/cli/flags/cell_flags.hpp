#pragma once

#include "cli/flags/plan_from_flags.hpp"
#include "config/problems.hpp"
#include "harness/sweep/plan.hpp"
#include "registry/metric.hpp"
#include "registry/workload.hpp"

#include <string>

// The flags for the amount of measurements of each cell or alternative.

namespace schedbench::cli {

inline constexpr auto kBlocksFlag =
    CountFlag{"--blocks", "-b", "N",
              "Blocks; each starts a fresh process of everything that is compared"}
        .Checked(kSomeRounds)
        .Usually("20, or as many as the intervals need")
        .Explained("Ctrl-C reports what is finished, and exits with code 130.");
inline constexpr auto kBudgetFlag =
    TimeFlag{"--budget", "", "TIME", "Begin no process after this time: 60s, 5m"};
inline constexpr auto kRoundsOfCellFlag =
    kRoundsFlag.Described("Measured rounds in each process").Default("3");
inline constexpr auto kWarmupOfCellFlag =
    kWarmupFlag.Described("Warm-up rounds in each process").Default("1");
inline constexpr auto kRoundLimitFlag =
    kTimeoutFlag.Described("Time limit of a round: 500ms, 10s, 2m; 0: none");
inline constexpr auto kMinEffectFlag =
    ShareFlag{"--min-effect", "", "SHARE", "Smallest difference that matters"}.Default("2%");
inline constexpr auto kExtentFlags =
    FlagsOf(kBlocksFlag, kBudgetFlag, kRoundsOfCellFlag, kWarmupOfCellFlag, kMinEffectFlag,
            kSeedFlag, kRoundLimitFlag);
inline constexpr auto kListOnlyFlag =
    SwitchFlag{"--list", "", "",
               "Print what would be measured and about how long it takes, and measure nothing"};

// The blocks of a plan with a budget, which ends earlier.
inline constexpr std::uint32_t kMostBlocks = 1'000'000;

// Sets the extent from kExtentFlags. `blocks`: the number without --blocks. May draw a seed.
void SetExtent(const Arguments& arguments, std::uint32_t blocks, harness::Extent& extent);

// Sets blocks, rounds, limits and the seed of a plan whose cells are complete.
void SetExtentOfCells(const Arguments& arguments, harness::SweepPlan& plan);

// Returns the metric; null, and a problem, if the workload lacks it or it is not comparable.
const registry::Metric* MetricOf(const std::string& name, const registry::WorkloadEntry& workload,
                                 const Flag& flag, config::Problems& problems);

}  // namespace schedbench::cli
