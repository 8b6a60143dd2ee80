#include "report/audit/audit_report.hpp"
#include "report/parts/flat_table.hpp"
#include "report/parts/quantity.hpp"

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

// A row for each scheduler.
FlatTable Flattened(const AuditResult& result) {
  FlatTable table{.columns = {"workload", "scheduler"}, .rows = {}};
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

}  // namespace

std::string RenderAuditCsv(const AuditResult& result, const TerminalStyle& /*style*/) {
  return CsvText(Flattened(result));
}

std::string RenderAuditMarkdown(const AuditResult& result, const TerminalStyle& /*style*/) {
  return MarkdownText(Flattened(result));
}

}  // namespace schedbench::report
