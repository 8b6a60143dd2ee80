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

// The prefix of the name of a workload parameter.
inline constexpr std::string_view kWorkloadPrefix = "workload.";

// A scheduler of a grid, before the keys change its settings.
struct GridScheduler {
  harness::Alternative alternative;
  const registry::SchedulerEntry* entry;     // null: of a foreign runtime
  std::optional<config::Settings> settings;  // none: of a foreign runtime
};

// Returns the schedulers of alternatives. Adds to `problems`.
std::vector<GridScheduler> GridSchedulersOf(std::vector<harness::Alternative> alternatives,
                                            config::Problems& problems);

// Sets the keys and cells of the plan: all combinations of the schedulers, with those of --with,
// and the values of each `over` ("KEY=LIST"). Foreign runtimes only have the keys workers and
// workload parameters. The key "scheduler" exists for more than one scheduler or with
// `always_scheduler`. `flag`, for messages, is the source of the values: kOverFlag, or a flag whose
// value is only the list. A combination that a rule forbids is a cell with `impossible`; if none is
// possible, that is a problem. Adds to `problems`.
void BuildGrid(const Arguments& arguments, const WorkloadChoice& workload,
               const std::vector<std::string>& overs, bool always_scheduler, const Flag& flag,
               harness::SweepPlan& plan, config::Problems& problems);

// Returns the command for a scheduler with these settings, but no workload: "schedbench", "run",
// ...
std::vector<std::string> CommandOfSettings(const registry::SchedulerEntry& scheduler,
                                           const config::Settings& settings);

// Returns the cell of a scheduler and a workload with these settings, without its indices.
harness::SweepCell CellOf(const GridScheduler& scheduler, const config::Settings& settings,
                          const WorkloadChoice& workload);

}  // namespace schedbench::cli
