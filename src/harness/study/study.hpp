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

// A study compares alternatives on problems, which are workloads under perturbations. The analysis
// treats a problem as a workload of a comparison, so that the intervals of all problems hold
// together. Pure functions; thread-safe.

namespace schedbench::harness {

// A workload under a perturbation. Its number is an index in ComparisonPlan::workloads.
struct StudyProblem {
  std::string workload;      // workload as the user typed it: "yield:fibers=10"
  std::string perturbation;  // flags that disturb it: "--hog 2"; "" for none
};

record::Of<StudyProblem> RecordOf(const StudyProblem* /*type*/);

// Returns the name of the problem: "yield --hog 2".
std::string NameOf(const StudyProblem& problem);

// The median cost of an operation for each alternative. A failure is a cost without a value. A
// problem that an alternative does not have, or that was not begun, is left out.
struct StudyCosts {
  std::vector<std::size_t> problems;
  stats::ProblemCosts costs;  // costs of these problems
};
StudyCosts CostsOf(const ComparisonPlan& plan, const ExperimentData& data,
                   const Comparison& comparison);

// Returns the row whose ratio is proven to be furthest from 1, by the end of its interval that is
// nearer to 1. A ratio of the ranking metric is preferred. `accepts` selects rows. None if nothing
// is proven.
std::optional<ComparedRow> LargestDifference(
    const ComparisonPlan& plan, const Comparison& comparison,
    const std::function<bool(const ComparedRow&)>& accepts);

// Returns the rows of `row`'s problem and alternative with a proven difference, the largest ratio
// first, each preceded by the reference's row.
std::vector<ComparedRow> ExplainingRows(const Comparison& comparison, const ComparedRow& row);

}  // namespace schedbench::harness
