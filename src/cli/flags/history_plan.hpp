#pragma once

#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <vector>

// What history measure and history bisect measure.

namespace schedbench::cli {

inline constexpr Flag kHistorySchedulerFlag =
    Flag{"--scheduler", "-s", "WHAT",
         "measure, bisect of revisions: the scheduler, with settings if you like: "
         "fast:lifo_limit=0; for bisect it may be one that only the revisions have"}
        .Completed(Names::kAlternative)
        .Default("fast");
inline constexpr Flag kHistoryBlocksFlag =
    Flag{"--blocks", "-b", "N",
         "measure: fresh processes of each revision (default: 10); bisect: at most so many in a "
         "step (default: 40)"}
        .Checked(kSomeRounds);
// Returns the workloads, metrics and extent that the flags name, without alternatives. `form`: of the parameters. Adds to
// `problems`.
harness::ComparisonPlan HistoryPlan(const Arguments& arguments, ConfigForm form,
                                    std::uint32_t blocks, config::Problems& problems);

}  // namespace schedbench::cli
