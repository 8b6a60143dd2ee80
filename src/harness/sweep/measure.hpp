#pragma once

#include "harness/experiment/measure.hpp"
#include "harness/sweep/plan.hpp"

namespace schedbench::harness {

// Measures a sweep (experiment/measure.hpp); each cell is a group of the data. Cells that are
// proven worse than the best end early if the plan says so. Cells have holes (Series::lost) where
// their place was lost, or no place was left. Thread: the caller's.
ExperimentData MeasureSweep(const SweepPlan& plan, ExperimentEvents events);

}  // namespace schedbench::harness
