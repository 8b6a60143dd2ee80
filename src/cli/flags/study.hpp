#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/suites.hpp"
#include "config/problems.hpp"
#include "harness/compare/plan.hpp"
#include "harness/study/study.hpp"

#include <cstddef>
#include <string>
#include <vector>

// The problems of a study from the command line.

namespace schedbench::cli {

inline constexpr auto kStudiedFlag = kWorkloadsFlag.Described(kWorkloadOrSuiteDoc)
                                         .Completed(Names::kWorkloadOrSuite)
                                         .Default("suite:small");
inline constexpr auto kHogsFlag =
    kHogFlag.Repeatable()
        .Described("Measure also while N other processes use a CPU each, at most 32 for each CPU")
        .Explained(
            "Each value of --stall, --hog and --workers makes a case of each workload, next to the "
            "undisturbed one: --hog 1 --hog 2 makes two. No case combines two of the flags.");
inline constexpr auto kStallsFlag = kStallFlag.Repeatable().Described(
    "Measure also with each worker stopped at random moments, each time for TIME, at most 10s, for "
    "a total SHARE of the time, at most 90%: 5%,500us");
inline constexpr auto kStudiedWorkersFlag =
    kWorkerCountsFlag.Described("Measure also with these numbers of workers: 1..8, 1,2,4")
        .Usually("only the schedulers' own");

// All workloads, measured under one perturbation.
struct StudyCase {
  std::string perturbation;                        // "--hog 2"; "" for none
  std::vector<harness::Alternative> alternatives;  // alternatives with its settings
};

struct StudyRequest {
  std::vector<StudyCase> cases;  // the undisturbed one first
  // The workloads of the first case, of the second, ...
  std::vector<harness::StudyProblem> problems;
  // Each problem is a workload of this plan. The alternatives are those of the first case.
  harness::ComparisonPlan plan;

  // Returns the case of a group of ExperimentOf().
  const StudyCase& CaseOf(const harness::Group& group) const {
    return cases[group.cells.front() / plan.alternatives.size() % cases.size()];
  }
};

// Returns what is measured: the groups are the problems.
harness::ExperimentPlan ExperimentOf(const StudyRequest& request);

// Returns the request. `words`: the alternatives. Adds to `problems`.
StudyRequest StudyRequestOf(const Arguments& arguments, const std::vector<std::string>& words,
                            config::Problems& problems);

// Returns what is wrong with a file's text for the perturbation of a StudyProblem; "" for nothing.
// Allowed are "--hog 2", or words without flags, such as "2 hogs" of a comparison.
std::string PerturbationComplaint(const std::string& text);

// Returns the arguments with only this perturbation of a StudyProblem.
Arguments Perturbed(Arguments arguments, const std::string& perturbation);

}  // namespace schedbench::cli
