#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json AxisOfSeries(const history::SeriesKey& key) {
  const std::string label = SeriesMetricLabel(key);
  return key.reference.empty() ? AxisJson(label, key.unit, key.better)
                               : AxisJson(label, "ratio", key.better);
}

// The median of each level, as a line with steps.
ordered_json LevelLine(const JudgedSeries& judged) {
  ordered_json points = ordered_json::array();
  const auto& values = judged.series.values;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= judged.changes.found.size(); ++i) {
    const std::size_t end =
        i < judged.changes.found.size() ? judged.changes.found[i].at : values.size();
    std::vector<double> level;
    for (std::size_t place = begin; place < end; ++place) {
      level.push_back(values[place].Value());
    }
    for (const std::size_t place : {begin + 1, end}) {
      points.push_back({place, JsonNumber(stats::Median(level))});
    }
    begin = end;
  }
  return {{"name", "median between changes"}, {"points", std::move(points)}};
}

ordered_json SeriesSection(const JudgedSeries& judged) {
  const history::SeriesKey& key = judged.series.key;
  PageSection section{.title = SeriesLabel(judged.series),
                      .about = PlaceLabel(key),
                      .table = {.columns = {{"revision", false},
                                            {"value"},
                                            {"spread of the blocks"},
                                            {"results"},
                                            {"change", false}}}};
  ordered_json points = ordered_json::array();
  ordered_json names = ordered_json::array();
  ordered_json marks = ordered_json::array();
  std::size_t change = 0;
  for (std::size_t i = 0; i < judged.series.values.size(); ++i) {
    const history::RevisionValue& value = judged.series.values[i];
    const harness::Spread spread = SpreadOfRevision(value);
    const double place = static_cast<double>(i + 1);
    const std::string name = RevisionLabel(value.revision.name);
    points.push_back(spread.is_interval ? PointJson(place, spread)
                                        : ordered_json::array({place, JsonNumber(spread.median)}));
    names.push_back(name);
    std::string change_text;
    if (change < judged.changes.found.size() && judged.changes.found[change].at == i) {
      change_text = ChangeText(judged, change);
      // Between the last revision of the old level and the first of the new one.
      marks.push_back(
          {{"x", place - 0.5},
           {"name", fmt::format("{} x {:.3g}", name, judged.changes.found[change].ratio.ratio)}});
      section.sentences.push_back(fmt::format("{}: x {}.", name, change_text));
      ++change;
    }
    section.table.rows.push_back({name, HistoryValueText(key, spread.median, kPageStyle),
                                  PlusMinus(spread.low, spread.median, spread.high, kPageStyle),
                                  fmt::format("{}", value.results.size()), change_text});
  }
  if (judged.changes.found.empty()) {
    section.sentences.push_back(Capitalised(StatusOf(judged)) + ".");
  }
  return SectionJson(section,
                     {{"kind", "curve"},
                      {"x", AxisJson("revision", "")},
                      {"value", AxisOfSeries(key)},
                      {"lines", {{{"name", SchedulerLabel(key)}, {"points", std::move(points)}}}},
                      {"fits", ordered_json::array({LevelLine(judged)})},
                      {"marks", std::move(marks)},
                      {"names", std::move(names)},
                      {"from_zero", false}});
}

}  // namespace

std::string RenderHistoryHtml(const HistoryResult& result, const TerminalStyle& /*style*/) {
  ordered_json sections = ordered_json::array();
  for (const JudgedSeries& judged : result.series) {
    sections.push_back(SeriesSection(judged));
  }
  PageHead head{
      .title = fmt::format("History of {}", result.series.size() == 1
                                                ? "one series"
                                                : fmt::format("{} series", result.series.size())),
      .facts = {{"database", result.file}},
      .notes = NotesOn(result)};
  for (const std::string& sentence : LevelSentences(result)) {
    head.facts.emplace_back("changes", sentence);
  }
  return ChartPageText(head, result.machine, result.command, std::nullopt, std::move(sections));
}

}  // namespace schedbench::report
