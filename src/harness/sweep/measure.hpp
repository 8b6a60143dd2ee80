#pragma once

#include "harness/experiment/measure.hpp"
#include "harness/sweep/plan.hpp"

namespace schedbench::harness {

// Measures a sweep (experiment/measure.hpp); each cell is a group of the data. If the plan says so,
// cells that are proven worse than the best end early. Cells have holes (Series::lost) where their
// machine was lost, or no machine was left. The caller's thread calls this.
ExperimentData MeasureSweep(const SweepPlan& plan, ExperimentEvents events);

}  // namespace schedbench::harness
