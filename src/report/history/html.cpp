#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/quantity.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

Json AxisOfSeries(const history::SeriesKey& key) {
  const std::string label = SeriesMetricLabel(key);
  return key.reference.empty() ? AxisJson(label, key.unit, key.better)
                               : AxisJson(label, "ratio", key.better);
}

// The median of each level, as a line with steps.
Json LevelLine(const JudgedSeries& judged) {
  Json points = Json::array();
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

Json SeriesSection(const JudgedSeries& judged) {
  const history::SeriesKey& key = judged.series.key;
  PageSection section{.title = SeriesLabel(judged.series),
                      .about = PlaceLabel(key),
                      .table = {.columns = {{"revision", false},
                                            {"value"},
                                            {"spread of the blocks"},
                                            {"results"},
                                            {"change", false}}}};
  Json points = Json::array();
  Json names = Json::array();
  Json marks = Json::array();
  std::size_t change = 0;
  for (std::size_t i = 0; i < judged.series.values.size(); ++i) {
    const history::RevisionValue& value = judged.series.values[i];
    const harness::Spread spread = SpreadOfRevision(value);
    const double place = static_cast<double>(i + 1);
    const std::string name = RevisionLabel(value.revision.name);
    points.push_back(spread.is_interval ? PointJson(place, spread)
                                        : Json::array({place, JsonNumber(spread.median)}));
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
                      {"fits", Json::array({LevelLine(judged)})},
                      {"marks", std::move(marks)},
                      {"names", std::move(names)},
                      {"from_zero", false}});
}

}  // namespace

std::string RenderHtml(const HistoryResult& result) {
  PageHead head{
      .title = fmt::format("History of {}", result.series.size() == 1
                                                ? "one series"
                                                : fmt::format("{} series", result.series.size())),
      .facts = {{"database", result.file}},
      .notes = NotesOn(result)};
  for (const std::string& sentence : LevelSentences(result)) {
    head.facts.emplace_back("changes", sentence);
  }
  return ChartPageText(head, result.machine, result.command, std::nullopt,
                       ArrayOf(result.series, &SeriesSection));
}

}  // namespace schedbench::report
