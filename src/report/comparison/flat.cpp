#include "report/comparison/comparison.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/quantity.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

FlatTable Flattened(const ComparisonResult& result, const TerminalStyle& style) {
  FlatTable table{.columns = {"workload", "metric", "unit", "better", "alternative", "median",
                              "low", "high", "against", "ratio", "ratio low", "ratio high", "level",
                              "blocks", "verdict", "reason", "difference", "difference low",
                              "difference high"}};
  const harness::ComparisonPlan& plan = result.plan;
  for (const harness::ComparedRow& row : result.comparison.rows) {
    std::vector<FlatCell> cells{plan.workloads[row.workload].name, row.metric->name,
                                row.metric->unit, ToText(row.metric->better),
                                plan.alternatives[row.alternative].name};
    const auto text_of = [&](double value) {
      return MetricText(*row.metric, value, style);
    };
    AddSpread(row.spread, text_of, cells);
    cells.emplace_back(row.against ? plan.alternatives[*row.against].name : "");
    cells.emplace_back(ExactNumber(row.point), row.point ? RatioText(*row.point) : "");
    if (row.ratio) {
      cells.emplace_back(ExactNumber(row.ratio->low), RatioText(row.ratio->low));
      cells.emplace_back(ExactNumber(row.ratio->high), RatioText(row.ratio->high));
      cells.emplace_back(ExactNumber(row.level));
    } else {
      cells.insert(cells.end(), {"", "", ""});
    }
    cells.emplace_back(row.against ? std::to_string(row.pairs) : "");
    cells.emplace_back(row.verdict ? std::string(harness::ToText(*row.verdict)) : "");
    cells.emplace_back(row.missing);
    if (row.difference) {
      for (const double value :
           {row.difference->difference, row.difference->low, row.difference->high}) {
        cells.emplace_back(ExactNumber(value), MetricText(*row.metric, value, style));
      }
    } else {
      cells.insert(cells.end(), {"", "", ""});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace schedbench::report
