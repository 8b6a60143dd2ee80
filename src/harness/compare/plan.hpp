#pragma once

#include "harness/experiment/plan.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// Alternatives of a former comparison. They come first in the plan and are not measured again.
struct SavedAlternatives {
  std::string file;
  std::size_t count = 0;
  std::vector<std::size_t>
      against;  // of each of the others: the saved one that it is compared with
};

// What to compare: each workload is a group of all alternatives (experiment/plan.hpp).
//
// When the budget is over, the measurement stops after the current round, and the current block
// does not count. With a budget, an alternative under a workload is not measured further as soon as
// it is settled (SettledAlternatives() in analysis.hpp).
struct ComparisonPlan : Extent {
  std::vector<Alternative>
      alternatives;  // without saved ones, the others are compared with the first
  std::vector<ComparedWorkload> workloads;
  std::vector<std::string> metrics;  // by name, those that are compared; empty: all there are
  SavedAlternatives saved = {};
  // The number of the first block, from which the seeds of its random choices follow.
  std::size_t first_block = 0;
  std::vector<PlacePtr> places = {};  // of the workloads, each once; empty: all are done here
  bool audits = true;                 // whether a round after the first block counts what was done
};

// Returns the place of what an alternative is compared with; none of those that are what others are compared with.
inline std::optional<std::size_t> Against(const ComparisonPlan& plan, std::size_t alternative) {
  if (plan.saved.count == 0) {
    return alternative == 0 ? std::nullopt : std::optional<std::size_t>(0);
  }
  return alternative < plan.saved.count
             ? std::nullopt
             : std::optional(plan.saved.against[alternative - plan.saved.count]);
}

// Returns the number of an alternative under a workload of the plan, for journals. It is the same at each place.
inline std::size_t ComparedCellOf(const ComparisonPlan& plan, std::size_t workload,
                                  std::size_t alternative) {
  const std::size_t workloads =
      plan.places.empty() ? plan.workloads.size() : plan.workloads.size() / plan.places.size();
  return workload % workloads * plan.alternatives.size() + alternative;
}

// Returns what is measured: the groups are the workloads.
ExperimentPlan ExperimentOf(const ComparisonPlan& plan);

}  // namespace schedbench::harness
