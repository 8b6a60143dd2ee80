#include "config/quote.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/sparkline.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using history::RevisionValue;

constexpr std::size_t kTrendWidth = 24;  // characters

std::string TrendText(const JudgedSeries& series, const TerminalStyle& style) {
  if (!style.unicode) {
    return "";
  }
  std::vector<double> values;
  for (const RevisionValue& value : series.series.values) {
    values.push_back(value.Value());
  }
  return Sparkline(values, kTrendWidth);
}

// The series of each machine and build, in the order of the first of each.
std::vector<std::vector<const JudgedSeries*>> ByPlace(const HistoryResult& result) {
  std::vector<std::vector<const JudgedSeries*>> groups;
  for (const JudgedSeries& series : result.series) {
    const auto group = std::ranges::find_if(groups, [&series](const auto& one) {
      const history::SeriesKey& key = one.front()->series.key;
      return key.machine == series.series.key.machine && key.build == series.series.key.build;
    });
    if (group == groups.end()) {
      groups.push_back({&series});
    } else {
      group->push_back(&series);
    }
  }
  return groups;
}

std::string ListText(const HistoryResult& result, const TerminalStyle& style) {
  std::string text;
  for (const auto& group : ByPlace(result)) {
    text += LabelledLine("on", PlaceLabel(group.front()->series.key), style);
    TextTable table{{"#", kRight},
                    {"workload"},
                    {"scheduler"},
                    {"metric"},
                    {"revisions", kRight, false, 2},
                    {"newest", kLeft, false, 1},
                    {"value", kRight},
                    {"trend", kLeft, false, 3}};
    for (const JudgedSeries* const one : group) {
      const RevisionValue& newest = one->series.values.back();
      table.AddRow(
          {fmt::format("{}", one->series.number), WorkloadLabel(one->series.key),
           SchedulerLabel(one->series.key), SeriesMetricLabel(one->series.key),
           fmt::format("{}", one->series.values.size()), RevisionLabel(newest.revision.name),
           HistoryValueText(one->series.key, newest.Value(), style), TrendText(*one, style)});
    }
    text += table.Render(style) + "\n";
  }
  return text;
}

std::string RevisionsText(const JudgedSeries& series, const TerminalStyle& style) {
  std::string text = fmt::format("  {}\n", style.Bold(SeriesLabel(series.series)));
  text += LabelledLine("on", PlaceLabel(series.series.key), style);
  TextTable table{{"revision"},
                  {"value", kRight},
                  {"spread", kRight, false, 1},
                  {"blocks", kRight, false, 2},
                  {"change"}};
  std::size_t change = 0;
  for (std::size_t i = 0; i < series.series.values.size(); ++i) {
    const RevisionValue& value = series.series.values[i];
    const harness::Spread spread = SpreadOfRevision(value);
    std::size_t blocks = 0;
    for (const auto& result : value.results) {
      blocks += result.size();
    }
    const auto& found = series.changes.found;
    const bool changes = change < found.size() && found[change].at == i;
    table.AddRow(
        {RevisionLabel(value.revision.name),
         HistoryValueText(series.series.key, spread.median, style),
         blocks > 1 ? PlusMinus(spread.low, spread.median, spread.high, style) : style.Dash(),
         fmt::format("{}", blocks),
         changes ? fmt::format("{} x {}, p {:.2g}", style.Sign("→", "->"),
                               ChangeText(series, change), found[change].p)
                 : ""});
    change += changes ? 1 : 0;
  }
  text += table.Render(style);
  if (series.changes.found.empty()) {
    text += fmt::format("  {}\n", style.Dim(StatusOf(series)));
  }
  return text + "\n";
}

std::string VerdictsText(const HistoryResult& result, const TerminalStyle& style) {
  TextTable table{{"#", kRight},
                  {"workload"},
                  {"scheduler"},
                  {"metric"},
                  {"revisions", kRight, false, 1},
                  {"changes", kRight, false, 2},
                  {"newest change"}};
  for (const JudgedSeries& one : result.series) {
    const auto& found = one.changes.found;
    table.AddRow(
        {fmt::format("{}", one.series.number), WorkloadLabel(one.series.key),
         SchedulerLabel(one.series.key), SeriesMetricLabel(one.series.key),
         fmt::format("{}", one.series.values.size()), fmt::format("{}", found.size()),
         found.empty()
             ? StatusOf(one)
             : fmt::format("{} at {}", ChangeText(one, found.size() - 1),
                           RevisionLabel(one.series.values[found.back().at].revision.name))});
  }
  const auto regressions = std::ranges::count_if(result.series, &JudgedSeries::IsRegression);
  return table.Render(style) +
         fmt::format(
             "\n  {}\n",
             style.Bold(regressions == 0
                            ? "no regression is proven"
                            : fmt::format("{} proven", Plural(static_cast<std::size_t>(regressions),
                                                              "regression"))));
}

}  // namespace

std::string RenderTable(const HistoryResult& result, const TerminalStyle& style) {
  if (result.series.empty()) {
    return fmt::format("  {} {}\n", config::Quoted(result.file),
                       result.is_empty ? "is empty    schedbench history add RESULT.json"
                                       : "has no series whose values can be better or worse");
  }
  std::string text;
  switch (result.kind) {
    case HistoryResult::Kind::kList:
      text = ListText(result, style);
      break;
    case HistoryResult::Kind::kShow:
      for (const JudgedSeries& series : result.series) {
        text += RevisionsText(series, style);
      }
      break;
    case HistoryResult::Kind::kCheck:
      text = VerdictsText(result, style);
      break;
  }
  if (result.kind != HistoryResult::Kind::kList) {
    for (const std::string& sentence : LevelSentences(result)) {
      text += fmt::format("  {}\n", sentence);
    }
  }
  return text + NoteLines(NotesOn(result), style);
}

}  // namespace schedbench::report
