#pragma once

#include "cli/flags/arguments.hpp"

#include <string>

// Flags that the actions of history share, and the database that they name.

namespace schedbench::cli {

inline constexpr Flag kDbFlag =
    Flag{"--db", "", "FILE",
         "The history (default: schedbench/history.db below XDG_DATA_HOME, else ~/.local/share)"};
inline constexpr Flag kRepositoryFlag =
    Flag{"--repository", "", "DIR", "The git repository of the revisions (measure, bisect: .)"};
inline constexpr Flag kRevisionFlag =
    Flag{"--revision", "", "REV",
         "What the results are of (default: the revision that their build reports)"};
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

}  // namespace schedbench::cli
