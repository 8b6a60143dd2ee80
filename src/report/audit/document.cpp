#include "base/vector_of.hpp"
#include "report/audit/audit_report.hpp"
#include "report/parts/chart_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace schedbench::report {

namespace {

using harness::AuditedScheduler;
using harness::TimeUseInfo;

constexpr double kShown = 0.0005;  // a terminal omits columns of smaller shares

bool IsShown(const AuditResult& result, const TimeUseInfo& info) {
  return std::ranges::any_of(result.schedulers, [&info](const AuditedScheduler& scheduler) {
    return scheduler.split[info.use] >= kShown;
  });
}

Table SharesTable(const AuditResult& result) {
  TableOf<AuditedScheduler> table;
  table.Add({.name = "workload", .media = kInRows},
            [&result](const auto& /*scheduler*/) { return result.workload_text; });
  table.Add({"scheduler"}, &AuditedScheduler::name);
  for (const TimeUseInfo& info : harness::TimeUses()) {
    const auto share = [use = info.use](const AuditedScheduler& scheduler) {
      return ShareCell(scheduler.split[use]);
    };
    table.Add({std::string(info.key), kRight, kInRows}, share);
    table.Add({std::string(info.head), kRight, IsShown(result, info) ? kForPeople : kInPage},
              share);
  }
  return std::move(table).Rows(result.schedulers);
}

Table MeaningTable(const AuditResult& result) {
  Table table{.columns = {{"workers' time"}, {"what it is"}}};
  for (const TimeUseInfo& info : harness::TimeUses()) {
    if (IsShown(result, info)) {
      table.rows.push_back({info.head, info.doc});
    }
  }
  return table;
}

Json SharesChart(const AuditResult& result) {
  const auto bar = [](const AuditedScheduler& scheduler) -> Json {
    return {{"name", scheduler.name}, {"values", scheduler.split.shares}};
  };
  return {{"kind", "stacked"},
          {"value", AxisJson("share of the wall time", "share")},
          {"parts", ArrayOf(harness::TimeUses(), &TimeUseInfo::head)},
          {"bars", ArrayOf(result.schedulers, bar)}};
}

}  // namespace

Document DocumentOf(const AuditResult& result, const TerminalStyle& /*style*/) {
  const std::uint64_t samples = SumOf(result.schedulers, &AuditedScheduler::samples);
  Document document{.title = "Audit of " + result.workload_text,
                    .headline = {result.workload_text, fmt::format("{} samples", Count(samples))},
                    .origin = Origin{result.machine, result.command, result.plan.seed},
                    .rows = SharesTable(result)};
  if (!result.complete) {
    document.endings.push_back({"the measurement ended early", "", "partial"});
  }
  Section conclusions{.title = "Conclusions"};
  for (std::string& sentence : harness::Conclusions(result)) {
    conclusions.details.push_back({std::move(sentence)});
  }
  if (auto fairer = harness::FairerVersion(result)) {
    conclusions.details.push_back({std::move(fairer->advice), std::move(fairer->command)});
  }
  document.sections = {{.title = "Time of the workers",
                        .about = "Shares of the wall time of all workers of a scheduler.",
                        .table = document.rows,
                        .chart = SharesChart(result)},
                       {.title = "Meaning", .table = MeaningTable(result)},
                       std::move(conclusions)};
  NoteOnPerturbation(result.perturbed, document.notes);
  return document;
}

}  // namespace schedbench::report
