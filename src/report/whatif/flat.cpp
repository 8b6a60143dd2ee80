#include "report/parts/flat_table.hpp"
#include "report/parts/quantity.hpp"
#include "report/whatif/whatif_report.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

namespace {

FlatTable Flattened(const WhatIfReport& report, const TerminalStyle& style) {
  FlatTable table{.columns = {"workers", "scheduler", "makespan_ns", "low_ns", "high_ns",
                              "ready_p99_ns", "measured_ns", "extrapolated"},
                  .rows = {}};
  const auto time = [&](double ns) {
    return FlatCell(ExactNumber(ns), Duration(ns, style));
  };
  for (const harness::WhatIfCell& cell : report.result.cells) {
    table.rows.push_back(
        {std::to_string(cell.workers), report.result.plan.schedulers[cell.scheduler],
         time(cell.makespan.median), time(cell.makespan.low), time(cell.makespan.high),
         cell.ready_p99_ns == 0 ? FlatCell("") : time(cell.ready_p99_ns),
         cell.measured ? time(cell.measured->median) : FlatCell(""), cell.measured ? "no" : "yes"});
  }
  return table;
}

}  // namespace

std::string RenderWhatIfCsv(const WhatIfReport& report, const TerminalStyle& style) {
  return CsvText(Flattened(report, style));
}

std::string RenderWhatIfMarkdown(const WhatIfReport& report, const TerminalStyle& style) {
  return MarkdownText(Flattened(report, style));
}

}  // namespace schedbench::report
