#include "config/quote.hpp"
#include "report/document/table.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>

namespace schedbench::report {

std::string MeasuredRevisionsText(const std::vector<MeasuredRevision>& revisions,
                                  const harness::ComparisonPlan& plan, const std::string& metric,
                                  const TerminalStyle& style) {
  Table table{.columns = {{"revision"},
                          {.name = "workload", .loss = 2},
                          {metric, kRight},
                          {.name = "spread", .align = kRight, .loss = 1},
                          {"to this program"}}};
  for (const MeasuredRevision& revision : revisions) {
    const std::string name = RevisionLabel(revision.name);
    if (!revision.hole.empty()) {
      table.rows.push_back(
          {name, "", style.Dash(), "", "hole: " + config::Escaped(revision.hole, 400)});
      continue;
    }
    for (const harness::ComparedRow& row : revision.rows) {
      if (row.metric->name != metric) {
        continue;
      }
      std::string ratio = row.missing;
      if (row.ratio) {
        ratio = "x " + EstimateText(*row.ratio);
      } else if (row.point) {
        ratio = fmt::format("x {:.3g}, too few blocks for an interval", *row.point);
      }
      table.rows.push_back(
          {name, plan.workloads[row.workload].name,
           row.spread ? MetricText(*row.metric, row.spread->median, style) : "",
           row.spread ? PlusMinus(row.spread->low, row.spread->median, row.spread->high, style)
                      : "",
           ratio});
    }
  }
  return TableText(table, style);
}

}  // namespace schedbench::report
