#include "report/parts/flat_table.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/run/run_report.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

namespace {

// A row for each metric: its median over the rounds and the interval.
FlatTable Flattened(const harness::RunResult& result, const TerminalStyle& style) {
  FlatTable table{.columns = {"scheduler", "workload", "metric", "unit", "better", "median", "low",
                              "high", "interval", "rounds", "reason"},
                  .rows = {}};
  const harness::RunPlan& plan = result.plan;
  for (const harness::SummaryRow& row : result.summary) {
    std::vector<FlatCell> cells{plan.scheduler->name, WorkloadText(plan), row.metric->name,
                                row.metric->unit, ToText(row.metric->better)};
    if (row.spread) {
      for (const double value : {row.spread->median, row.spread->low, row.spread->high}) {
        cells.emplace_back(ExactNumber(value), MetricText(*row.metric, value, style));
      }
      cells.emplace_back(row.spread->is_interval ? "95%" : "range");
    } else {
      cells.insert(cells.end(), {"", "", "", ""});
    }
    cells.emplace_back(std::to_string(result.rounds.size()));
    cells.emplace_back(row.missing);  // why there is no median
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::string RenderCsv(const harness::RunResult& result, const TerminalStyle& style) {
  return CsvText(Flattened(result, style));
}

std::string RenderMarkdown(const harness::RunResult& result, const TerminalStyle& style) {
  return MarkdownText(Flattened(result, style));
}

}  // namespace schedbench::report
