#include "report/audit/audit_parts.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

std::string RenderAuditHtml(const AuditResult& result, const TerminalStyle& /*style*/) {
  using nlohmann::ordered_json;
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
  ordered_json parts = ordered_json::array();
  for (const harness::TimeUseInfo& use : harness::TimeUses()) {
    parts.push_back(use.head);
    section.table.rows.push_back({std::string(use.head)});
  }
  ordered_json bars = ordered_json::array();
  for (const harness::AuditedScheduler& scheduler : result.schedulers) {
    bars.push_back({{"name", scheduler.name}, {"values", scheduler.split.shares}});
    section.table.columns.push_back({scheduler.name});
  }
  section.table.columns.push_back({"meaning", false});
  for (std::size_t i = 0; i < harness::TimeUses().size(); ++i) {
    const harness::TimeUseInfo& use = harness::TimeUses()[i];
    for (const harness::AuditedScheduler& scheduler : result.schedulers) {
      section.table.rows[i].push_back(Percent(scheduler.split[use.use]));
    }
    section.table.rows[i].emplace_back(use.doc);
  }
  ordered_json sections = ordered_json::array();
  sections.push_back(SectionJson(section, {{"kind", "stacked"},
                                           {"value", AxisJson("share of the wall time", "share")},
                                           {"parts", std::move(parts)},
                                           {"bars", std::move(bars)}}));
  return ChartPageText({.title = "audit of " + result.workload_text, .facts = {}, .notes = notes},
                       result.machine, result.command, result.plan.seed, std::move(sections));
}

}  // namespace schedbench::report
