#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/config_file.hpp"
#include "config/problems.hpp"
#include "harness/plan.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::cli {

// The flags of a plan.
inline constexpr auto kConfigFlag =
    TextFlag{"--config", "-c", "FILE",
             "Config of the scheduler: a file, - for stdin, or a name of schedbench list configs"}
        .Reads()
        .Completed(Names::kConfig)
        .Repeatable();
inline constexpr auto kSchedulerFlag =
    TextFlag{"--scheduler", "-s", "NAME", "Scheduler with its defaults"}
        .Completed(Names::kScheduler)
        .Usually("fast, unless a config names another");
inline constexpr auto kSetFlag =
    TextFlag{"--set", "", "FIELD=VALUE", "Change a field of the config: workers=4"}
        .Completed(Names::kField)
        .Repeatable();
inline constexpr std::array<std::string_view, 1> kAutoWorkers{"auto"};
inline constexpr auto kWorkersFlag =
    TextFlag{"--workers", "", "N|auto",
             "Sets the field workers of each scheduler that has it; auto, or 0: one per CPU that "
             "the process may use"}
        .Checked(WholeNumber(0, 1024, kAutoWorkers));
inline constexpr auto kSchedulerFlags =
    FlagsOf(kConfigFlag, kSchedulerFlag, kSetFlag, kWorkersFlag);
inline constexpr auto kWorkloadFlag =
    TextFlag{"--workload", "-w", "NAME[:KEY=VALUE,...]", "What to run: pingpong:pairs=8"}
        .Once("schedbench compare takes several workloads")
        .Completed(Names::kWorkload)
        .Default("pingpong");
inline constexpr auto kWorkloadsFlag = kWorkloadFlag.Repeatable().Default("");
inline constexpr auto kRoundsFlag = CountFlag{"--rounds", "-n", "N", "Measured rounds"}
                                        .Checked(kSomeRounds)
                                        .Usually("20, or the workload's own");
inline constexpr auto kWarmupFlag = CountFlag{"--warmup", "", "N", "Warm-up rounds"}
                                        .Checked(kAnyRounds)
                                        .Usually("3, or the workload's own");
inline constexpr auto kSeedFlag =
    NumberFlag{"--seed", "", "N", "Seed of all random choices"}
        .Checked(WholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
        .Usually("drawn, and recorded");
inline constexpr auto kTimeoutFlag =
    TimeFlag{"--timeout", "", "TIME",
             "Give up if nothing happens for this time: 500ms, 10s, 2m; 0: never"}
        .Checked(kTimeOrZero)
        .Default("60s");
inline constexpr auto kPlanFlags =
    FlagsOf(kSchedulerFlags, kWorkloadFlag, kRoundsFlag, kWarmupFlag, kSeedFlag, kTimeoutFlag);

struct WorkloadChoice {
  const registry::WorkloadEntry* entry;
  config::Settings parameters;
};

// Returns the workload of "pingpong:pairs=8". None, and problems, if the name or a parameter is
// wrong. `flag`: for messages; "" for a word without a flag.
std::optional<WorkloadChoice> ChooseWorkload(const std::string& text, config::Problems& problems,
                                             std::string_view flag = kWorkloadFlag.name);

// Returns the scheduler on which --scheduler and all configs agree (fast if they name none), with
// the finished settings of the configs and of --set. None, and problems, if a name or config is
// wrong. `otherwise`: the config where no flag names a scheduler or a config; null: the defaults of
// fast. `takes_workers`: whether --workers of the command is kWorkersFlag.
std::optional<ConfiguredScheduler> ChooseScheduler(const Arguments& arguments,
                                                   config::Problems& problems,
                                                   const config::JsonDocument* otherwise = nullptr,
                                                   bool takes_workers = true);

// Returns whether "pingpong:pairs=8" itself sets the parameter; a preset does not count.
bool SpecSets(const std::string& text, std::string_view parameter);

// Returns the seed of all random choices: the flag's, or a drawn one.
std::uint64_t SeedFromFlags(const Arguments& arguments);

// Returns the plan of a scheduler and a workload, with the rounds, seed and timeout of the flags.
harness::RunPlan PlanOf(const Arguments& arguments, ConfiguredScheduler scheduler,
                        WorkloadChoice workload);

// Makes the plan that the flags describe. Throws config::InputError with all problems.
harness::RunPlan PlanFromFlags(const Arguments& arguments);

}  // namespace schedbench::cli
