#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/compare/gate.hpp"
#include "harness/compare/plan.hpp"
#include "harness/compare/sampler.hpp"
#include "platform/machine/machine_info.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

// All that is known after a comparison, whole or cut short. Reports are made of this and of registry::ThisBuild().
struct ComparisonResult {
  harness::ComparisonPlan plan;
  harness::ComparisonData data;
  harness::Comparison comparison;
  std::vector<harness::GateResult> gates;  // in the order of the report
  double min_effect = 0;
  double throughput_floor =
      0;  // the same of throughput alone, as far as the doctor knows; 0: he was not asked
  bool verbose = false;              // for people, everything
  platform::MachineInfo machine;     // as it was when it began
  std::vector<std::string> command;  // of the command line that asked for it
};

// For people: of each workload every figure of every alternative, the ratio to the first with its interval and the verdict; then
// which mechanisms moved, a line for each alternative that sums up, and, at the end, one for each gate.
std::string RenderComparisonTable(const ComparisonResult& result, const TerminalStyle& look);

// For programs: the same, and every round.
std::string RenderComparisonJson(const ComparisonResult& result, const TerminalStyle& look);

}  // namespace schedbench::report
