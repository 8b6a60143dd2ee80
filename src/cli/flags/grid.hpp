#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"
#include "harness/sweep/plan.hpp"
#include "registry/scheduler.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The grid of a sweep from the command line.

namespace schedbench::cli {

inline constexpr auto kOverFlag =
    TextFlag{"--over", "", "KEY=LIST",
             "What differs between the cells: workers, a config field, a workload parameter or "
             "scheduler; 1,4,16 or 1..4, 0..100+20, 1..64*2"}
        .Completed(Names::kSweepKey)
        .Repeatable();

inline constexpr auto kWorkerCountsFlag = kWorkersFlag.Taking("LIST")
                                              .Described("Numbers of workers: 1..8, 1,2,4, 1..64*2")
                                              .Checked({})
                                              .Usually("1 to the CPUs, beyond 8 doubled");

// Before the name of a parameter of the workload.
inline constexpr std::string_view kWorkloadPrefix = "workload.";

// A scheduler of a grid, before the keys change its settings.
struct GridScheduler {
  harness::Alternative alternative;
  const registry::SchedulerEntry* entry;     // null: of a foreign runtime
  std::optional<config::Settings> settings;  // likewise none
};

// Returns the schedulers of alternatives. Adds to `problems`.
std::vector<GridScheduler> GridSchedulersOf(std::vector<harness::Alternative> alternatives,
                                            config::Problems& problems);

// Sets the keys and cells of the plan: all combinations of the schedulers, those of --with included, and the values of each `over`
// ("KEY=LIST"). Of a foreign runtime only workers and parameters of the workload are keys. There is a key "scheduler" if there is more than one scheduler, or `always_scheduler`. `flag`: where the values come from, for messages: kOverFlag,
// or one whose value is the list alone. A combination that a rule of the config or of the
// workload forbids is a cell with `impossible`; if none is possible, that is a problem. Adds to `problems`.
void BuildGrid(const Arguments& arguments, const WorkloadChoice& workload,
               const std::vector<std::string>& overs, bool always_scheduler, const Flag& flag,
               harness::SweepPlan& plan, config::Problems& problems);

// Returns the command that runs a scheduler with these settings, without a workload: "schedbench", "run", ...
std::vector<std::string> CommandOfSettings(const GridScheduler& scheduler,
                                           const config::Settings& settings);

// Returns the cell of a scheduler and a workload with these settings, without its place.
harness::SweepCell CellOf(const GridScheduler& scheduler, const config::Settings& settings,
                          const WorkloadChoice& workload);

}  // namespace schedbench::cli
