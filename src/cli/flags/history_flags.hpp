#pragma once

#include "cli/flags/alternatives.hpp"
#include "cli/flags/arguments.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "harness/compare/plan.hpp"

#include <string>

// The shared flags of history's actions, their database, and the plan of measure and bisect.

namespace schedbench::cli {

inline constexpr auto kDbFlag = TextFlag{
    "--db", "", "FILE",
    "The history (default: schedbench/history.db below XDG_DATA_HOME, otherwise ~/.local/share)"};
inline constexpr auto kRepositoryFlag =
    TextFlag{"--repository", "", "DIR", "The git repository of the revisions (measure, bisect: .)"};
inline constexpr auto kRevisionFlag =
    TextFlag{"--revision", "", "REV",
             "What the results are of (default: the revision that their build reports)"}
        .Checked(kPrintableName);
inline constexpr auto kHistorySchedulerFlag =
    kSchedulerFlag.Taking("WHAT")
        .Described(
            "measure, bisect of revisions: the scheduler, with settings if you like: "
            "fast:lifo_limit=0; for bisect it may be one that only the revisions have")
        .Completed(Names::kAlternative)
        .Default("fast");
inline constexpr auto kHereFlag =
    SwitchFlag{"--here", "", "", "Only series of this machine and kind of build"};
inline constexpr auto kAlphaFlag =
    ShareFlag{"--alpha", "", "SHARE",
              "Probability of any false alarm in all chosen series together, if none has a change"}
        .Default("1%");
inline constexpr auto kRequireRevisionsFlag =
    SwitchFlag{"--require", "", "",
               "check: end with code 3 if a series has too few revisions to prove a change"};

// Returns the file that the flags name.
std::string HistoryPath(const Arguments& arguments);

// Returns the folder that a variable such as XDG_DATA_HOME names, or `below` in the home folder.
// Throws config::InputError without both.
std::string UserFolder(const char* variable, const std::string& below, const Flag& instead);

// Returns the workloads, metrics and extent that the flags name, without alternatives. `form`: the
// form of the parameters. Adds to `problems`.
harness::ComparisonPlan HistoryPlan(const Arguments& arguments, ConfigForm form,
                                    std::uint32_t blocks, config::Problems& problems);

}  // namespace schedbench::cli
