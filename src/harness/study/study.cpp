#include "harness/study/study.hpp"

#include "base/stable_sort.hpp"
#include "record/record.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace schedbench::harness {

namespace {

bool IsProven(const ComparedRow& row) {
  return row.ratio && row.verdict && row.verdict != Verdict::kSame &&
         row.verdict != Verdict::kInconclusive;
}

// Returns how far from 1 the ratio is for certain, as a logarithm. Requires: IsProven().
double ProvenDistance(const ComparedRow& row) {
  return std::min(std::abs(std::log(row.ratio->low)), std::abs(std::log(row.ratio->high)));
}

}  // namespace

record::Of<StudyProblem> RecordOf(const StudyProblem* /*type*/) {
  using T = StudyProblem;
  return {"Problem",
          {{"workload", &T::workload, "As it was asked for.", {.is_name = true}},
           {"perturbation", &T::perturbation, "The flags that disturb it.", {record::kNull}}}};
}

std::string NameOf(const StudyProblem& problem) {
  return problem.perturbation.empty() ? problem.workload
                                      : problem.workload + " " + problem.perturbation;
}

StudyCosts CostsOf(const ComparisonPlan& plan, const ExperimentData& data,
                   const Comparison& comparison) {
  StudyCosts all;
  for (std::size_t problem = 0; problem < plan.workloads.size(); ++problem) {
    const registry::Metric& metric = RankingMetric(plan, problem);
    std::vector<std::optional<double>> costs(plan.alternatives.size());
    for (const ComparedRow& row : comparison.rows) {
      if (row.workload == problem && row.metric == &metric && row.spread) {
        const double median = row.spread->median;
        costs[row.alternative] = metric.better == registry::Better::kHigher ? 1 / median : median;
      }
    }
    const std::vector<Series>& series = data.series[problem];
    const auto is_known = [&](std::size_t i) {
      return costs[i] || (!series[i].failure.empty() && !series[i].absent);
    };
    if (std::ranges::all_of(std::views::iota(std::size_t{0}, costs.size()), is_known)) {
      all.problems.push_back(problem);
      all.costs.push_back(std::move(costs));
    }
  }
  return all;
}

std::optional<ComparedRow> LargestDifference(
    const ComparisonPlan& plan, const Comparison& comparison,
    const std::function<bool(const ComparedRow&)>& accepts) {
  const auto size_of = [&plan](const ComparedRow& row) {
    return std::pair(row.metric == &RankingMetric(plan, row.workload), ProvenDistance(row));
  };
  std::optional<ComparedRow> largest;
  for (const ComparedRow& row : comparison.rows) {
    if (IsProven(row) && accepts(row) && (!largest || size_of(row) > size_of(*largest))) {
      largest = row;
    }
  }
  return largest;
}

std::vector<ComparedRow> ExplainingRows(const Comparison& comparison, const ComparedRow& row) {
  const auto rows_of = [&](std::size_t alternative) {
    return comparison.rows | std::views::filter([&row, alternative](const ComparedRow& other) {
             return other.workload == row.workload && other.alternative == alternative;
           });
  };
  std::vector<ComparedRow> proven;
  std::ranges::copy_if(rows_of(row.alternative), std::back_inserter(proven), &IsProven);
  StableSort(proven, std::greater<>(), &ProvenDistance);
  std::vector<ComparedRow> rows;
  for (ComparedRow& one : proven) {
    auto of_reference = rows_of(*row.against);
    rows.push_back(*std::ranges::find(of_reference, one.metric, &ComparedRow::metric));
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace schedbench::harness
