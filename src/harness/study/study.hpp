#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "record/type.hpp"
#include "stats/performance_profile.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// A study compares alternatives on problems. A problem is a workload under a perturbation; for the
// analysis it is a workload of a comparison, so that the intervals of all problems hold together.
// Pure functions; thread-safe.

namespace schedbench::harness {

// A workload under a perturbation, of which an index in ComparisonPlan::workloads is the number.
struct StudyProblem {
  std::string workload;      // as it was asked for: "yield:fibers=10"
  std::string perturbation;  // the flags that disturb it: "--hog 2"; "" for none
};

record::Of<StudyProblem> RecordOf(const StudyProblem* /*type*/);

// Returns the name of the problem: "yield --hog 2".
std::string NameOf(const StudyProblem& problem);

// What each alternative needs for an operation, by its median. Failures are costs without a value.
// A problem that some alternative does not have, or whose measurement has not begun, is left out.
struct StudyCosts {
  std::vector<std::size_t> problems;
  stats::ProblemCosts costs;  // of these
};
StudyCosts CostsOf(const ComparisonPlan& plan, const ExperimentData& data,
                   const Comparison& comparison);

// Returns the row whose ratio is proven to be the furthest from 1: the end of its interval that is
// nearer to 1 counts. A ratio of the ranking metric is preferred. `accepts`: the rows that are
// considered. None if no ratio is proven to differ.
std::optional<ComparedRow> LargestDifference(
    const ComparisonPlan& plan, const Comparison& comparison,
    const std::function<bool(const ComparedRow&)>& accepts);

// Returns the rows of the same problem and alternative with a proven difference, the largest ratio
// first; before each that of the reference.
std::vector<ComparedRow> ExplainingRows(const Comparison& comparison, const ComparedRow& row);

}  // namespace schedbench::harness
