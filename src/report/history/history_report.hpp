#pragma once

#include "harness/compare/analysis.hpp"
#include "history/changes.hpp"
#include "history/record.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

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
  bool is_empty = false;  // the file has no series at all
  std::vector<JudgedSeries> series;
  double alpha;                       // probability of any change in all series, if there is none
  double level;                       // the same of each series
  double min_effect;                  // 0.02
  std::vector<std::string> warnings;  // on the order of revisions and on what is not comparable
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// The series, or the revisions of each, or the verdicts; a page also shows the trend of each
// series. Pure.
Document DocumentOf(const HistoryResult& result, const TerminalStyle& style);

// For programs: all values, changes and verdicts of any kind. Pure.
const record::Record& RecordOf(const HistoryResult* /*type*/);

// A revision that was measured beside the current program, or a hole.
struct MeasuredRevision {
  std::string name;
  std::string hole;                        // why it has no values; "" if it has
  std::vector<harness::ComparedRow> rows;  // its metrics under each workload
};

// Returns the table of each revision with a row for each workload, its value and the ratio to the
// current program. `metric`: the one that is shown. Pure.
std::string MeasuredRevisionsText(const std::vector<MeasuredRevision>& revisions,
                                  const harness::ComparisonPlan& plan, const std::string& metric,
                                  const TerminalStyle& style);

}  // namespace schedbench::report
