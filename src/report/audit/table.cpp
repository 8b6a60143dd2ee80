#include "config/wrap.hpp"
#include "report/audit/audit_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::AuditedScheduler;
using harness::TimeUseInfo;

constexpr double kShown = 0.0005;  // a column of smaller shares is left out

std::vector<const TimeUseInfo*> ShownUses(const AuditResult& result) {
  std::vector<const TimeUseInfo*> uses;
  for (const TimeUseInfo& info : harness::TimeUses()) {
    const bool is_shown =
        std::ranges::any_of(result.schedulers, [&info](const AuditedScheduler& scheduler) {
          return scheduler.split[info.use] >= kShown;
        });
    if (is_shown) {
      uses.push_back(&info);
    }
  }
  return uses;
}

std::string Shares(const AuditResult& result, const std::vector<const TimeUseInfo*>& uses,
                   const TerminalStyle& style) {
  TextTable table{{"workers' time"}};
  for (const TimeUseInfo* const use : uses) {
    table.AddColumn(std::string(use->head), kRight);
  }
  for (const AuditedScheduler& scheduler : result.schedulers) {
    std::vector<std::string> cells{scheduler.name};
    for (const TimeUseInfo* const use : uses) {
      cells.push_back(Percent(scheduler.split[use->use]));
    }
    table.AddRow(std::move(cells));
  }
  return table.Render(style);
}

std::string Legend(const std::vector<const TimeUseInfo*>& uses, const TerminalStyle& style) {
  std::size_t width = 0;
  for (const TimeUseInfo* const use : uses) {
    width = std::max(width, use->head.size());
  }
  std::string text;
  for (const TimeUseInfo* const use : uses) {
    text += style.Dim(fmt::format("  {:<{}}  {}", use->head, width, use->doc)) + "\n";
  }
  return text;
}

std::string Wrapped(const std::string& text, const TerminalStyle& style) {
  const std::size_t width = std::min(style.width, kLineWidth) - 2;
  return fmt::format("  {}\n", fmt::join(config::WrapWords(text, width), "\n  "));
}

}  // namespace

std::vector<Note> NotesOn(const AuditResult& result) {
  std::vector<Note> notes;
  NoteOnPerturbation(result.perturbed, notes);
  return notes;
}

std::string RenderTable(const AuditResult& result, const TerminalStyle& style) {
  std::uint64_t samples = 0;
  for (const AuditedScheduler& scheduler : result.schedulers) {
    samples += scheduler.samples;
  }
  const std::vector<const TimeUseInfo*> uses = ShownUses(result);
  std::string text =
      Joined({result.workload_text, fmt::format("{} samples", Count(samples))}, 0, style) + "\n";
  if (!result.complete) {
    text += LabelledLine("partial", std::string(kAuditEndedEarly), style);
  }
  text += "\n";
  text += Shares(result, uses, style) + "\n" + Legend(uses, style) + "\n";
  for (const std::string& sentence : harness::Conclusions(result)) {
    text += Wrapped(sentence, style);
  }
  if (const auto fairer = harness::FairerVersion(result)) {
    // The command in one line, for copying.
    text += Wrapped(fairer->advice, style) + fmt::format("    {}\n", fairer->command);
  }
  return text + "\n" + NoteLines(NotesOn(result), style) +
         OriginLines(result.machine, result.command, result.plan.seed, style);
}

}  // namespace schedbench::report
