#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/slo/slo_report.hpp"

#include <vector>

namespace schedbench::report {

FlatTable Flattened(const harness::SloResult& result, const TerminalStyle& style) {
  FlatTable table{.columns = {"scheduler", "workload", "rate", "holds", "saturated"}};
  for (const harness::LatencyLimit& limit : result.limits) {
    table.columns.push_back(limit.text);
  }
  for (const harness::LoadProbe& probe : result.probes) {
    std::vector<FlatCell> cells{
        result.plan.scheduler->name, WorkloadText(result.plan),
        FlatCell(ExactNumber(probe.rate), WithUnit(probe.rate, "requests/s")),
        probe.holds ? "yes" : "no", probe.saturated ? "yes" : "no"};
    for (const harness::LatencyLimit& limit : result.limits) {
      const harness::SummaryRow& row = probe.summary[limit.metric];
      if (row.spread) {
        cells.emplace_back(ExactNumber(row.spread->median),
                           MetricText(*row.metric, row.spread->median, style));
      } else {
        cells.emplace_back("");
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace schedbench::report
