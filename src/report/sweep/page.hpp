#pragma once

#include "report/sweep/sweep_report.hpp"

#include <nlohmann/json_fwd.hpp>

namespace schedbench::report {

// The axis of the metric by which cells are compared.
nlohmann::ordered_json AxisOfCells(const harness::SweepPlan& plan);

// A section for each scheduler with its curve and laws; before them, if there are several, one with all of them.
nlohmann::ordered_json ScaleSections(const SweepResult& result);

}  // namespace schedbench::report
