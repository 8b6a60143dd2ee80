#pragma once

#include "harness/compare/analysis.hpp"
#include "history/changes.hpp"
#include "history/record.hpp"
#include "platform/machine/machine_info.hpp"
#include "report/parts/terminal_style.hpp"

#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

// A series with its revisions in their order.
struct JudgedSeries {
  history::StoredSeries series;
  history::Changes changes;
  // What each change means beyond the smallest difference that matters, in the order of `changes.found`.
  std::vector<harness::Verdict> verdicts;

  // Whether its newest change is a regression.
  bool IsRegression() const {
    return !verdicts.empty() && verdicts.back() == harness::Verdict::kWorse;
  }
};

// What a history has, and which changes it shows.
struct HistoryResult {
  enum class Kind { kList, kShow, kCheck };
  Kind kind;
  std::string file;
  std::vector<JudgedSeries> series;
  double alpha;                       // probability of any change in all series, if there is none
  double level;                       // the same of each series
  double min_effect;                  // 0.02
  std::vector<std::string> warnings;  // on the order of revisions and on what is not comparable
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// For people: the series, or the revisions of each, or the verdicts. Pure.
std::string RenderHistoryTable(const HistoryResult& result, const TerminalStyle& style);

// For programs: all values, changes and verdicts of any kind. Pure.
std::string RenderHistoryJson(const HistoryResult& result, const TerminalStyle& style);

// A row for each revision of each series. Pure.
std::string RenderHistoryCsv(const HistoryResult& result, const TerminalStyle& style);
std::string RenderHistoryMarkdown(const HistoryResult& result, const TerminalStyle& style);

// A page with a trend for each series, its changes marked. Pure. Requires: HasChartPage().
std::string RenderHistoryHtml(const HistoryResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
