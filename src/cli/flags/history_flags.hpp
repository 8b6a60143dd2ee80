#pragma once

#include "cli/flags/alternatives.hpp"
#include "cli/flags/arguments.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "harness/compare/plan.hpp"

#include <string>

// Flags that the actions of history share, the database that they name, and what history measure
// and history bisect measure.

namespace schedbench::cli {

inline constexpr Flag kDbFlag =
    Flag{"--db", "", "FILE",
         "The history (default: schedbench/history.db below XDG_DATA_HOME, else ~/.local/share)"};
inline constexpr Flag kRepositoryFlag =
    Flag{"--repository", "", "DIR", "The git repository of the revisions (measure, bisect: .)"};
inline constexpr Flag kRevisionFlag =
    Flag{"--revision", "", "REV",
         "What the results are of (default: the revision that their build reports)"}
        .Checked(kPrintableName);
inline constexpr Flag kHistoryWorkloadFlag =
    Flag{"--workload", "-w", "NAME[:KEY=VALUE,...]",
         "Only series of this workload; measure, bisect: what to run (default there: pingpong)"}
        .Completed(Names::kWorkload)
        .Repeatable();
inline constexpr Flag kHistoryMetricFlag =
    Flag{"--metric", "", "NAME",
         "Only this metric: throughput, wakeup_p99 (bisect: by which to compare, default "
         "throughput)"}
        .Completed(Names::kMetric)
        .Repeatable();
inline constexpr Flag kHistorySchedulerFlag =
    Flag{"--scheduler", "-s", "WHAT",
         "measure, bisect of revisions: the scheduler, with settings if you like: "
         "fast:lifo_limit=0; for bisect it may be one that only the revisions have"}
        .Completed(Names::kAlternative)
        .Default("fast");
inline constexpr Flag kHistoryBlocksFlag = kBlocksOfCellFlag.Described(
    "measure: fresh processes of each revision (default: 10); bisect: at most so many in a step "
    "(default: 40)");
inline constexpr Flag kHereFlag{"--here", "", "", "Only series of this machine and kind of build"};
inline constexpr Flag kAlphaFlag =
    Flag{"--alpha", "", "SHARE",
         "Probability of any false alarm in all chosen series together, if none has a change"}
        .Checked(kShare)
        .Default("1%");
inline constexpr Flag kRequireRevisionsFlag{
    "--require", "", "",
    "check: end with code 3 if a series has too few revisions to prove a change"};

// The file that the flags name.
std::string HistoryPath(const Arguments& arguments);

// Returns the folder that XDG_DATA_HOME or another such variable names, or `below` in the home folder. Throws
// config::InputError without both.
std::string UserFolder(const char* variable, const std::string& below, const Flag& instead);

// Returns the workloads, metrics and extent that the flags name, without alternatives. `form`: of
// the parameters. Adds to `problems`.
harness::ComparisonPlan HistoryPlan(const Arguments& arguments, ConfigForm form,
                                    std::uint32_t blocks, config::Problems& problems);

}  // namespace schedbench::cli
