#include "report/audit/audit_report.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

std::string RenderHtml(const AuditResult& result) {
  PageSection section{.title = "Time of the workers",
                      .about = "Shares of the wall time of all workers of a scheduler.",
                      .sentences = harness::Conclusions(result),
                      .table = {.columns = {{"use", false}}}};
  std::vector<Note> notes = NotesOn(result);
  if (!result.complete) {
    notes.insert(notes.begin(),
                 {.text = fmt::format("partial: {}", kAuditEndedEarly), .remedy = ""});
  }
  if (const auto fairer = harness::FairerVersion(result)) {
    notes.push_back({fairer->advice, fairer->command});
  }
  for (const harness::AuditedScheduler& scheduler : result.schedulers) {
    section.table.columns.push_back({scheduler.name});
  }
  section.table.columns.push_back({"meaning", false});
  for (const harness::TimeUseInfo& use : harness::TimeUses()) {
    std::vector<std::string> cells{std::string(use.head)};
    for (const harness::AuditedScheduler& scheduler : result.schedulers) {
      cells.push_back(Percent(scheduler.split[use.use]));
    }
    cells.emplace_back(use.doc);
    section.table.rows.push_back(std::move(cells));
  }
  const Json bars =
      ArrayOf(result.schedulers, [](const harness::AuditedScheduler& scheduler) -> Json {
        return {{"name", scheduler.name}, {"values", scheduler.split.shares}};
      });
  const Json chart{{"kind", "stacked"},
                   {"value", AxisJson("share of the wall time", "share")},
                   {"parts", ArrayOf(harness::TimeUses(), &harness::TimeUseInfo::head)},
                   {"bars", bars}};
  return ChartPageText({.title = "audit of " + result.workload_text, .facts = {}, .notes = notes},
                       result.machine, result.command, result.plan.seed,
                       Json::array({SectionJson(section, chart)}));
}

}  // namespace schedbench::report
