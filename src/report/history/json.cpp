#include "harness/result.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

std::string_view KindName(HistoryResult::Kind kind) {
  switch (kind) {
    case HistoryResult::Kind::kList:
      return "list";
    case HistoryResult::Kind::kShow:
      return "show";
    case HistoryResult::Kind::kCheck:
      return "check";
  }
  return "";
}

ordered_json RevisionsJson(const JudgedSeries& judged) {
  ordered_json revisions = ordered_json::array();
  for (const history::RevisionValue& value : judged.series.values) {
    const auto& time = value.revision.commit_time;
    revisions.push_back({{"revision", value.revision.name},
                         {"sequence", value.sequence},
                         {"commit_time", time ? ordered_json(*time) : ordered_json(nullptr)},
                         {"added_time", value.added_time},
                         {"value", JsonNumber(value.Value())},
                         {"results", value.results}});
  }
  return revisions;
}

ordered_json ChangesJson(const JudgedSeries& judged) {
  ordered_json changes = ordered_json::array();
  for (std::size_t i = 0; i < judged.changes.found.size(); ++i) {
    const history::Change& change = judged.changes.found[i];
    changes.push_back({{"at", change.at},
                       {"revision", judged.series.values[change.at].revision.name},
                       {"p", JsonNumber(change.p)},
                       {"ratio", JsonNumber(change.ratio.ratio)},
                       {"low", JsonNumber(change.ratio.low)},
                       {"high", JsonNumber(change.ratio.high)},
                       {"verdict", harness::ToText(judged.verdicts[i])}});
  }
  return changes;
}

ordered_json SeriesObject(const JudgedSeries& judged) {
  const history::SeriesKey& key = judged.series.key;
  return {
      {"series", judged.series.number},
      {"workload", key.workload},
      {"parameters", ParsedObject(key.parameters)},
      {"scheduler", key.scheduler},
      {"config", ParsedObject(key.config)},
      {"runtime", key.runtime.empty() ? ordered_json(nullptr) : ordered_json(key.runtime)},
      {"metric", key.metric},
      {"unit", key.unit},
      {"better", registry::ToText(key.better)},
      {"reference", key.reference.empty() ? ordered_json(nullptr) : ordered_json(key.reference)},
      {"machine", ParsedObject(key.machine)},
      {"build", ParsedObject(key.build)},
      {"revisions", RevisionsJson(judged)},
      {"changes", ChangesJson(judged)},
      {"status", StatusOf(judged)},
      {"too_few", judged.changes.too_few},
      {"dependent", judged.changes.dependent}};
}

}  // namespace

std::string RenderHistoryJson(const HistoryResult& result, const TerminalStyle& /*style*/) {
  ordered_json series = ordered_json::array();
  bool regression = false;
  for (const JudgedSeries& judged : result.series) {
    series.push_back(SeriesObject(judged));
    regression = regression || judged.IsRegression();
  }
  return JsonText({{"schema_version", harness::kSchemaVersion},
                   {"kind", "history"},
                   {"action", KindName(result.kind)},
                   {"database", result.file},
                   {"regression", regression},
                   {"alpha", JsonNumber(result.alpha)},
                   {"level", JsonNumber(result.level)},
                   {"min_effect", JsonNumber(result.min_effect)},
                   {"warnings", result.warnings},
                   {"series", std::move(series)},
                   {"build", BuildJson()},
                   {"command", result.command}});
}

}  // namespace schedbench::report
