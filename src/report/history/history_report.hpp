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
  // Verdicts on changes beyond the smallest difference that matters, as in `changes.found`.
  std::vector<harness::Verdict> verdicts;

  // Returns whether its newest change is a regression.
  bool IsRegression() const {
    return !verdicts.empty() && verdicts.back() == harness::Verdict::kWorse;
  }
};

// The content of a history, and the changes that it shows.
struct HistoryResult {
  enum class Kind { kList, kShow, kCheck };
  Kind kind;
  std::string file;
  bool is_empty = false;  // the file has no series at all
  std::vector<JudgedSeries> series;
  double alpha;       // probability of any change in all series without real changes
  double level;       // probability for each series
  double min_effect;  // 0.02
  std::vector<std::string> warnings;  // on the order of revisions and on what is not comparable
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// Returns the series, or their revisions, or the verdicts; a page also has their trends. Pure.
Document DocumentOf(const HistoryResult& result, const TerminalStyle& style);

// Returns the JSON record: all values, changes and verdicts of any kind. Pure.
record::Record RecordOf(const HistoryResult* /*type*/);

// A revision that was measured next to the current program, or a hole.
struct MeasuredRevision {
  std::string name;
  std::string hole;                        // why it does not have values; "" if it has
  std::vector<harness::ComparedRow> rows;  // its metrics under each workload
};

// Returns the table of each revision with a row for each workload, its value and the ratio to the
// current program. `metric`: the shown one. Pure.
std::string MeasuredRevisionsText(const std::vector<MeasuredRevision>& revisions,
                                  const harness::ComparisonPlan& plan, const std::string& metric,
                                  const TerminalStyle& style);

}  // namespace schedbench::report
