#include "base/enum_text.hpp"
#include "harness/result.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/json_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::report {

namespace {

std::string_view KindName(HistoryResult::Kind kind) {
  return EnumText(kind, {"list", "show", "check"});
}

Json RevisionJson(const history::RevisionValue& value) {
  return {{"revision", value.revision.name},
          {"sequence", value.sequence},
          {"commit_time", OrNull(value.revision.commit_time)},
          {"added_time", value.added_time},
          {"value", JsonNumber(value.Value())},
          {"results", value.results}};
}

Json ChangesJson(const JudgedSeries& judged) {
  return ArrayOf(judged.changes.found.size(), [&judged](std::size_t i) {
    const history::Change& change = judged.changes.found[i];
    Json json{{"at", change.at},
              {"revision", judged.series.values[change.at].revision.name},
              {"p", JsonNumber(change.p)}};
    json.update(RatioJson(change.ratio));
    json["verdict"] = harness::ToText(judged.verdicts[i]);
    return json;
  });
}

Json SeriesObject(const JudgedSeries& judged) {
  const history::SeriesKey& key = judged.series.key;
  return {{"series", judged.series.number},
          {"workload", key.workload},
          {"parameters", ParsedObject(key.parameters)},
          {"scheduler", key.scheduler},
          {"config", ParsedObject(key.config)},
          {"runtime", OrNull(key.runtime)},
          {"metric", key.metric},
          {"unit", key.unit},
          {"better", registry::ToText(key.better)},
          {"reference", OrNull(key.reference)},
          {"machine", ParsedObject(key.machine)},
          {"build", ParsedObject(key.build)},
          {"revisions", ArrayOf(judged.series.values, &RevisionJson)},
          {"changes", ChangesJson(judged)},
          {"status", StatusOf(judged)},
          {"too_few", judged.changes.too_few},
          {"dependent", judged.changes.dependent}};
}

}  // namespace

std::string RenderJson(const HistoryResult& result) {
  Json root = ResultHead("history", std::nullopt);
  root.update({{"action", KindName(result.kind)},
               {"database", result.file},
               {"regression", std::ranges::any_of(result.series, &JudgedSeries::IsRegression)},
               {"alpha", JsonNumber(result.alpha)},
               {"level", JsonNumber(result.level)},
               {"min_effect", JsonNumber(result.min_effect)},
               {"warnings", result.warnings},
               {"series", ArrayOf(result.series, &SeriesObject)},
               {"build", BuildJson()},
               {"command", result.command}});
  return JsonText(root);
}

}  // namespace schedbench::report
