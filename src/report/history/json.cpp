#include "base/enum_text.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/json_parts.hpp"

#include <algorithm>

namespace schedbench::history {

static record::Of<RevisionValue> RecordOf(const RevisionValue* /*type*/) {
  using T = RevisionValue;
  return {
      "Revision",
      {{"revision", &T::revision, &Revision::name, "A commit, or what --revision has named."},
       {"sequence", &T::sequence, "The order of adding."},
       {"commit_time", &T::revision, &Revision::commit_time, "Seconds since 1970; null: unknown."},
       {"added_time", &T::added_time, "Of its first result; seconds since 1970."},
       {"value", [](const T& value) { return value.Value(); },
        "The median of the medians of its results."},
       {"results", &T::results, "The blocks of each result."}}};
}

static record::Of<SeriesKey> RecordOf(const SeriesKey* /*type*/) {
  using T = SeriesKey;
  return {"SeriesKey",
          {{"workload", &T::workload, "Its name."},
           {"parameters", [](const T& key) { return report::ParsedObject(key.parameters); },
            "All of them, with dotted names."},
           {"scheduler", &T::scheduler, "Name of the scheduler."},
           {"config", [](const T& key) { return report::ParsedObject(key.config); },
            "The settings that differ from the defaults, with dotted names."},
           {"runtime", &T::runtime, "The foreign runtime; null: schedbench.", {record::kNull}},
           {"metric", &T::metric, "Name of the metric."},
           {"unit", &T::unit, "Unit of the values."},
           {"better", &T::better, "Which way is better."},
           {"reference",
            &T::reference,
            "Values are ratios to this revision; null: they are absolute.",
            {record::kNull}},
           {"machine", [](const T& key) { return report::ParsedObject(key.machine); },
            "The facts that results depend on."},
           {"build", [](const T& key) { return report::ParsedObject(key.build); },
            "The kind of build."}}};
}

}  // namespace schedbench::history

namespace schedbench::report {

constexpr std::array<std::string_view, 3> NamesOf(HistoryResult::Kind) {
  return {"list", "show", "check"};
}

namespace {

struct ShownChange {
  history::Change change;
  std::string revision;
  harness::Verdict verdict;
};

record::Of<ShownChange> RecordOf(const ShownChange* /*type*/) {
  using T = ShownChange;
  return {"Change",
          {{"at", &T::change, &history::Change::at,
            "Place in revisions of the first one with the new level, from 0."},
           {"revision", &T::revision, "Its name."},
           {"p", &T::change, &history::Change::p, "Of the permutation test."},
           {"ratio", &T::change, &history::Change::ratio,
            "Of the median after it to the median before, with a 95 % interval."},
           {"verdict", &T::verdict, "What it means beyond the smallest difference that matters."}}};
}

}  // namespace

static record::Of<JudgedSeries> RecordOf(const JudgedSeries* /*type*/) {
  using T = JudgedSeries;
  return {"HistorySeries",
          {{"series", &T::series, &history::StoredSeries::number,
            "The number by which commands name it."},
           {record::kInline, &T::series, &history::StoredSeries::key, ""},
           {"revisions", &T::series, &history::StoredSeries::values,
            "In the order that the report uses."},
           {"changes",
            [](const T& judged) {
              std::vector<ShownChange> changes;
              for (const history::Change& change : judged.changes.found) {
                changes.push_back({change, judged.series.values[change.at].revision.name,
                                   judged.verdicts[changes.size()]});
              }
              return changes;
            },
            "Revisions from which on the values differ from those before."},
           {"status", [](const T& judged) { return StatusOf(judged); },
            "The verdict on the newest change, or that there is none."},
           {"too_few", &T::changes, &history::Changes::too_few,
            "No series of this length can have a proven change."},
           {"dependent", &T::changes, &history::Changes::dependent,
            "Values resemble those of their neighbours: false alarms are more frequent."}}};
}

record::Record RecordOf(const HistoryResult* /*type*/) {
  using T = HistoryResult;
  return ResultRecord<"history", T>(
      {{"action", &T::kind, "What was asked for."},
       {"database", &T::file, "The file."},
       {"regression",
        [](const T& result) {
          return std::ranges::any_of(result.series, &JudgedSeries::IsRegression);
        },
        "The newest change of a series is a regression."},
       {"alpha", &T::alpha, "Probability of any alarm if no series has a change."},
       {"level", &T::level, "The same of each series."},
       {"min_effect", &T::min_effect, "The smallest difference that matters."},
       {"warnings", &T::warnings, "On the order of revisions, and on what is not comparable."},
       {"series", &T::series, "Values of the same work on the same kind of machine and build."}});
}

}  // namespace schedbench::report
