#include "report/audit/audit_report.hpp"
#include "report/parts/quantity.hpp"

#include <utility>

namespace schedbench::report {

FlatTable Flattened(const AuditResult& result, const TerminalStyle& /*style*/) {
  FlatTable table{.columns = {"workload", "scheduler"}};
  for (const harness::TimeUseInfo& info : harness::TimeUses()) {
    table.columns.emplace_back(info.key);
  }
  for (const harness::AuditedScheduler& scheduler : result.schedulers) {
    std::vector<FlatCell> row{result.workload_text, scheduler.name};
    for (const harness::TimeUseInfo& info : harness::TimeUses()) {
      const double share = scheduler.split[info.use];
      row.emplace_back(ExactNumber(share), Percent(share));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace schedbench::report
