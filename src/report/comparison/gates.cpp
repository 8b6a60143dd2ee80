#include "config/quote.hpp"
#include "report/comparison/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using harness::ComparedRow;
using harness::GateOutcome;
using harness::GateResult;

// Returns "-3.1 %", "+1.2e+03 %": a ratio in the form of gates.
std::string ChangeText(double ratio) {
  return fmt::format("{:+.3g} %", 100 * (ratio - 1));
}

std::string CountText(const GateResult& result) {
  const auto count = std::ranges::count(result.rows, result.outcome, &GateResult::Row::outcome);
  return fmt::format("{} of {}{}", count, result.rows.size(),
                     result.left_out == 0 ? "" : fmt::format(", {} left out", result.left_out));
}

}  // namespace

Section GatesSection(const ComparisonResult& result, const TerminalStyle& style) {
  const auto worst_of = [&result](const GateResult& gate) -> const ComparedRow* {
    return gate.worst ? &result.comparison.rows[*gate.worst] : nullptr;
  };
  TableOf<GateResult> table;
  table.Add({"gate"}, [](const GateResult& gate) {
    const bool fails_if = gate.gate.kind == harness::Gate::Kind::kFailIf;
    return fmt::format("{} {}", fails_if ? "fail if" : "require", config::Escaped(gate.gate.text));
  });
  table.Add({"outcome"}, &GateResult::outcome);
  table.Add({"ratios"}, &CountText);
  table.Add({"worst"}, [&](const GateResult& gate) -> Cell {
    const ComparedRow* const row = worst_of(gate);
    return row == nullptr ? "" : result.plan.alternatives[row->alternative].name;
  });
  table.Add({"interval"}, [&](const GateResult& gate) -> Cell {
    const ComparedRow* const row = worst_of(gate);
    return row == nullptr    ? ""
           : row->ratio      ? fmt::format("{} {} {}", ChangeText(row->ratio->low),
                                           style.Sign("…", ".."), ChangeText(row->ratio->high))
           : row->difference ? DifferenceInterval(*row, style)
                             : row->missing;
  });
  table.Add({"workload"}, [&](const GateResult& gate) -> Cell {
    const ComparedRow* const row = worst_of(gate);
    return row == nullptr ? "" : config::Escaped(result.plan.workloads[row->workload].name, 60);
  });
  return {.title = "Gates", .table = std::move(table).Rows(result.gates)};
}

}  // namespace schedbench::report
