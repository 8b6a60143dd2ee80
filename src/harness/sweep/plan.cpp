#include "harness/sweep/plan.hpp"

#include <utility>

namespace schedbench::harness {

ExperimentPlan ExperimentOf(const SweepPlan& plan) {
  ExperimentPlan experiment;
  static_cast<Extent&>(experiment) = plan;
  experiment.first_block = plan.first_block;
  experiment.places = plan.places;
  experiment.shuffles = true;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const SweepCell& cell = plan.cells[i];
    Group group{.workload = cell.workload,
                .alternatives = {cell.alternative},
                .cells = {i},
                .impossible = cell.impossible};
    if (cell.measured_at) {
      group.workload.place = plan.places[*cell.measured_at];
    }
    experiment.distributes = !plan.places.empty() && !cell.measured_at;
    experiment.groups.push_back(std::move(group));
  }
  return experiment;
}

}  // namespace schedbench::harness
