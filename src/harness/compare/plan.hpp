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
  std::vector<std::size_t> against;  // the saved alternative with which each other one is compared
};

// A comparison: each workload is a group of all alternatives (experiment/plan.hpp). When the budget
// is over, the measurement stops after the current round, and the current block does not count.
// With a budget, an alternative under a workload is not measured further as soon as it is settled
// (SettledAlternatives() in analysis.hpp).
struct ComparisonPlan : Extent {
  // Without saved ones, the first is the reference of the others.
  std::vector<Alternative> alternatives;
  std::vector<ComparedWorkload> workloads;
  std::vector<std::string> metrics;  // names of the compared metrics; empty: all
  SavedAlternatives saved = {};
  std::size_t first_block = 0;  // the number of the first block, from which its random seeds follow
  std::vector<PlacePtr> places = {};  // machines of the workloads, each once; empty: all run here
  bool audits = true;                 // a round after the first block counts what was done
};

// Returns the index of the alternative that this one is compared with; none for a reference.
inline std::optional<std::size_t> Against(const ComparisonPlan& plan, std::size_t alternative) {
  if (plan.saved.count == 0) {
    return alternative == 0 ? std::nullopt : std::optional<std::size_t>(0);
  }
  return alternative < plan.saved.count
             ? std::nullopt
             : std::optional(plan.saved.against[alternative - plan.saved.count]);
}

// Returns an alternative's number under a workload, for journals: equal on all machines.
inline std::size_t ComparedCellOf(const ComparisonPlan& plan, std::size_t workload,
                                  std::size_t alternative) {
  const std::size_t workloads =
      plan.places.empty() ? plan.workloads.size() : plan.workloads.size() / plan.places.size();
  return workload % workloads * plan.alternatives.size() + alternative;
}

// Returns what is measured: the groups are the workloads.
ExperimentPlan ExperimentOf(const ComparisonPlan& plan);

}  // namespace schedbench::harness
