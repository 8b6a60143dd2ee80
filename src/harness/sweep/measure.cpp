#include "harness/sweep/measure.hpp"

#include "base/vector_of.hpp"
#include "harness/sweep/analysis.hpp"

#include <algorithm>
#include <string>

namespace schedbench::harness {

namespace {

// Blocks measured before the machine was lost remain, and the measurement may continue.
void MarkHole(Series& cell, std::size_t blocks, const std::string& why) {
  if (!cell.Runs() || cell.blocks.size() == blocks) {
    return;
  }
  cell.lost = Series::Lost::kPlace;
  if (cell.blocks.empty()) {
    cell.failure = why;
    cell.refused = true;
  }
}

}  // namespace

ExperimentData MeasureSweep(const SweepPlan& plan, ExperimentEvents events) {
  if (plan.settles) {
    events.settled = [&plan](const ExperimentData& data) {
      return VectorOf(SettledCells(plan, data), [&](bool one) { return std::vector<bool>{one}; });
    };
  }
  const ExperimentPlan experiment = ExperimentOf(plan);
  ExperimentData data = Measure(experiment, events);
  const bool is_any_left = std::ranges::count(data.lost, std::string()) > 0;
  for (std::size_t cell = 0; cell < plan.cells.size() && !plan.places.empty(); ++cell) {
    if (const auto place = plan.cells[cell].measured_at) {
      data.Cell(cell).place = plan.places[*place]->name;
      if (!data.lost[*place].empty()) {
        MarkHole(data.Cell(cell), plan.blocks, data.lost[*place]);
      }
    } else if (!is_any_left) {
      MarkHole(data.Cell(cell), plan.blocks, data.lost.back());
    }
  }
  return data;
}

}  // namespace schedbench::harness
