#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/run/run_report.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

FlatTable Flattened(const harness::RunResult& result, const TerminalStyle& style) {
  FlatTable table{.columns = {"scheduler", "workload", "metric", "unit", "better", "median", "low",
                              "high", "interval", "rounds", "reason"}};
  const harness::RunPlan& plan = result.plan;
  for (const harness::SummaryRow& row : result.summary) {
    std::vector<FlatCell> cells{plan.scheduler->name, WorkloadText(plan), row.metric->name,
                                row.metric->unit, ToText(row.metric->better)};
    const auto text_of = [&](double value) {
      return MetricText(*row.metric, value, style);
    };
    AddSpread(row.spread, text_of, cells);
    cells.emplace_back(!row.spread ? "" : row.spread->is_interval ? "95%" : "range");
    cells.emplace_back(std::to_string(result.rounds.size()));
    cells.emplace_back(row.missing);  // why there is no median
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace schedbench::report
