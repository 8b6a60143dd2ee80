#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/plan.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::cli {

// The flags that say what to run.
inline constexpr Flag kConfigFlag =
    Flag{"--config", "-c", "FILE",
         "Config of the scheduler: a file, or one of schedbench list configs"}
        .Repeatable();
inline constexpr Flag kSchedulerFlag{"--scheduler", "-s", "NAME",
                                     "Scheduler, with its defaults when no --config is given"};
inline constexpr Flag kSetFlag =
    Flag{"--set", "", "FIELD=VALUE", "Change a field of the config: workers=4"}.Repeatable();
inline constexpr Flag kWorkersFlag{
    "--workers", "", "N|auto",
    "The same as --set workers=N; auto, or 0: one per CPU that the process may use"};
inline constexpr Flag kWorkloadFlag =
    Flag{"--workload", "-w", "NAME[:KEY=VALUE,...]", "What it is to do: pingpong:pairs=8"}.Default(
        "pingpong");
inline constexpr Flag kRoundsFlag =
    Flag{"--rounds", "-n", "N", "Measured rounds (default: 20, or the workload's own)"}.Checked(
        kSomeRounds);
inline constexpr Flag kWarmupFlag =
    Flag{"--warmup", "", "N",
         "Rounds before them that do not count (default: 3, or the workload's own)"}
        .Checked(kAnyRounds);
inline constexpr Flag kSeedFlag =
    Flag{"--seed", "", "N", "Seed of all random choices (default: drawn, and recorded)"}.Checked(
        WholeNumber(0, std::numeric_limits<std::uint64_t>::max()));
inline constexpr Flag kTimeoutFlag =
    Flag{"--timeout", "", "TIME",
         "Give up when nothing happens for so long: 500ms, 10s, 2m; 0: never"}
        .Checked(kTimeOrZero)
        .Default("60s");

struct WorkloadChoice {
  const registry::WorkloadEntry* entry;
  config::Settings parameters;
};

// Returns the workload of "pingpong:pairs=8". None, and problems, when there is none or a parameter is wrong.
std::optional<WorkloadChoice> ChooseWorkload(const std::string& text, config::Problems& problems);

// Returns the seed of all random choices, by the flag or drawn.
std::uint64_t SeedFromFlags(const Arguments& arguments);

// What is looked at where no scheduler is named. (A measurement must name what it measures.)
inline constexpr std::string_view kDefaultScheduler = "fast";

// Makes the plan that the flags describe. `usual_scheduler`: where they name none; "" where they must.
// Throws config::InputError with all that is wrong with them.
harness::RunPlan PlanFromFlags(const Arguments& arguments, std::string_view usual_scheduler = {});

}  // namespace schedbench::cli
