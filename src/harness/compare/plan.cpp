#include "harness/compare/plan.hpp"

#include <utility>

namespace schedbench::harness {

ExperimentPlan ExperimentOf(const ComparisonPlan& plan) {
  ExperimentPlan experiment;
  static_cast<Extent&>(experiment) = plan;
  experiment.first_block = plan.first_block;
  experiment.places = plan.places;
  experiment.audits = plan.audits;
  for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload) {
    Group group{.workload = plan.workloads[workload], .alternatives = plan.alternatives};
    for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
      group.cells.push_back(ComparedCellOf(plan, workload, i));
    }
    experiment.groups.push_back(std::move(group));
  }
  return experiment;
}

}  // namespace schedbench::harness
