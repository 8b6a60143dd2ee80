#include "report/parts/quantity.hpp"
#include "report/whatif/whatif_report.hpp"

#include <optional>
#include <string>

namespace schedbench::report {

FlatTable Flattened(const WhatIfReport& report, const TerminalStyle& style) {
  FlatTable table{.columns = {"workers", "scheduler", "makespan_ns", "low_ns", "high_ns",
                              "ready_p99_ns", "ready_p99_low_ns", "ready_p99_high_ns",
                              "measured_ns", "measured_ready_p99_ns", "extrapolated"}};
  const auto time = [&](double ns) {
    return FlatCell(ExactNumber(ns), Duration(ns, style));
  };
  using Range = harness::TimeRange;
  const auto part = [&](const std::optional<Range>& range, double Range::* field) {
    return range ? time((*range).*field) : FlatCell("");
  };
  for (const harness::WhatIfCell& cell : report.result.cells) {
    table.rows.push_back(
        {std::to_string(cell.workers), report.result.plan.schedulers[cell.scheduler],
         time(cell.makespan.median), time(cell.makespan.low), time(cell.makespan.high),
         part(cell.ready_p99, &Range::median), part(cell.ready_p99, &Range::low),
         part(cell.ready_p99, &Range::high),
         cell.measured ? time(cell.measured->makespan.median) : FlatCell(""),
         cell.measured ? part(cell.measured->ready_p99, &Range::median) : FlatCell(""),
         cell.measured ? "no" : "yes"});
  }
  return table;
}

}  // namespace schedbench::report
