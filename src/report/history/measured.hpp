#pragma once

#include "harness/compare/analysis.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

// A revision that was measured beside the current program, or a hole.
struct MeasuredRevision {
  std::string name;
  std::string hole;                        // why it has no values; "" if it has
  std::vector<harness::ComparedRow> rows;  // its metrics under each workload
};

// For people: each revision with a row for each workload, its value and the ratio to the current program. `metric`: the
// one that is shown. Pure.
std::string MeasuredRevisionsText(const std::vector<MeasuredRevision>& revisions,
                                  const harness::ComparisonPlan& plan, const std::string& metric,
                                  const TerminalStyle& style);

}  // namespace schedbench::report
