#include "config/quote.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using harness::GateOutcome;
using harness::GateResult;

// "-3.1 %", "+1.2e+03 %": a ratio in the form of gates.
std::string ChangeText(double ratio) {
  return fmt::format("{:+.3g} %", 100 * (ratio - 1));
}

std::string CountText(const GateResult& result) {
  const auto count = std::ranges::count(result.rows, result.outcome, &GateResult::Row::outcome);
  return fmt::format("{} of {}{}", count, result.rows.size(),
                     result.left_out == 0 ? "" : fmt::format(", {} left out", result.left_out));
}

}  // namespace

std::vector<std::string> GateCells(const ComparisonResult& result, const GateResult& gate,
                                   const TerminalStyle& style) {
  const bool fails_if = gate.gate.kind == harness::Gate::Kind::kFailIf;
  std::vector<std::string> cells{
      fmt::format("{} {}", fails_if ? "fail if" : "require", config::Escaped(gate.gate.text)),
      std::string(harness::ToText(gate.outcome)),
      CountText(gate),
      "",
      "",
      ""};
  if (gate.worst) {
    const ComparedRow& row = result.comparison.rows[*gate.worst];
    cells[3] = result.plan.alternatives[row.alternative].name;
    cells[4] = row.ratio        ? fmt::format("{} {} {}", ChangeText(row.ratio->low),
                                              style.Sign("…", ".."), ChangeText(row.ratio->high))
               : row.difference ? DifferenceInterval(row, style)
                                : row.missing;
    cells[5] = config::Escaped(result.plan.workloads[row.workload].name, 60);
  }
  return cells;
}

std::string RenderGates(const ComparisonResult& result, const TerminalStyle& style) {
  if (result.gates.empty()) {
    return "";
  }
  TextTable table{{"gate"}, {""}, {"ratios"}, {"worst"}, {"interval"}, {"workload"}};
  for (const GateResult& gate : result.gates) {
    table.AddRow(GateCells(result, gate, style));
  }
  return "\n" + table.Render(style);
}

}  // namespace schedbench::report
