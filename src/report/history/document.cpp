#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/history/history_report.hpp"
#include "report/history/labels.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace schedbench::report {

namespace {

using history::RevisionValue;

constexpr std::size_t kTrendWidth = 24;  // characters

std::string TrendText(const JudgedSeries& series, const TerminalStyle& style) {
  const auto values = VectorOf(series.series.values, &RevisionValue::Value);
  return style.unicode ? Sparkline(values, kTrendWidth) : "";
}

// A revision of a series.
struct RevisionRow {
  const JudgedSeries* series;
  std::size_t place;
  harness::Spread spread;
  std::size_t blocks;
  std::optional<std::size_t> change;  // change that begins here

  const RevisionValue& Value() const {
    return series->series.values[place];
  }
  const history::SeriesKey& Key() const {
    return series->series.key;
  }
};

std::vector<RevisionRow> RowsOf(const JudgedSeries& series) {
  std::vector<RevisionRow> rows;
  std::size_t changes = 0;
  const auto& found = series.changes.found;
  for (std::size_t i = 0; i < series.series.values.size(); ++i) {
    const RevisionValue& value = series.series.values[i];
    RevisionRow& row =
        rows.emplace_back(RevisionRow{&series, i, SpreadOfRevision(value),
                                      SumOf(value.results, std::ranges::size), std::nullopt});
    if (changes < found.size() && found[changes].at == i) {
      row.change = changes++;
    }
  }
  return rows;
}

// The columns of the series are for programs: people read them in the title.
Table RevisionsTable(const std::vector<RevisionRow>& rows, const TerminalStyle& style) {
  TableOf<RevisionRow> table;
  const auto add_key = [&table](const std::string& name, auto text_of) {
    table.Add({.name = name, .media = kInRows},
              [text_of](const RevisionRow& row) -> Cell { return text_of(row.Key()); });
  };
  table.Add({.name = "series", .media = kInRows},
            [](const RevisionRow& row) { return row.series->series.number; });
  add_key("workload", &WorkloadLabel);
  add_key("scheduler", &SchedulerLabel);
  add_key("metric", [](const history::SeriesKey& key) { return key.metric; });
  add_key("unit", [](const history::SeriesKey& key) { return key.unit; });
  add_key("reference", [](const history::SeriesKey& key) { return key.reference; });
  table.Add({"revision"}, [](const RevisionRow& row) {
    const std::string& name = row.Value().revision.name;
    return Cell(name, RevisionLabel(name));
  });
  for (const auto& [name, part, media] :
       {std::tuple{"value", &harness::Spread::median, kEverywhere},
        std::tuple{"low", &harness::Spread::low, kInRows},
        std::tuple{"high", &harness::Spread::high, kInRows}}) {
    table.Add({name, kRight, media}, [part, &style](const RevisionRow& row) {
      return NumberCell(row.spread.*part,
                        [&](double value) { return HistoryValueText(row.Key(), value, style); });
    });
  }
  table.Add({"spread", kRight, kForPeople, 1}, [&style](const RevisionRow& row) -> Cell {
    return row.blocks > 1 ? PlusMinus(row.spread.low, row.spread.median, row.spread.high, style)
                          : style.Dash();
  });
  table.Add({"blocks", kRight, kEverywhere, 2},
            [](const RevisionRow& row) { return CountCell(row.blocks); });
  const auto ratio = [](const RevisionRow& row) {
    return row.change ? std::optional(row.series->changes.found[*row.change].ratio) : std::nullopt;
  };
  table.Add({"change", kLeft, kForPeople}, [&style](const RevisionRow& row) -> Cell {
    return row.change ? fmt::format("{} x {}, p {:.2g}", style.Sign("→", "->"),
                                    ChangeText(*row.series, *row.change),
                                    row.series->changes.found[*row.change].p)
                      : "";
  });
  table.AddRatio({.name = "change", .media = kInRows}, ratio);
  table.Add({.name = "verdict", .media = kInRows}, [](const RevisionRow& row) -> Cell {
    return row.change ? harness::ToText(row.series->verdicts[*row.change]) : "";
  });
  return std::move(table).Rows(rows);
}

// Returns the median of each level, as a line with steps.
Json LevelLine(const JudgedSeries& judged) {
  Json points = Json::array();
  const auto& values = judged.series.values;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= judged.changes.found.size(); ++i) {
    const std::size_t end =
        i < judged.changes.found.size() ? judged.changes.found[i].at : values.size();
    const auto level =
        VectorOf(std::span(values).subspan(begin, end - begin), &history::RevisionValue::Value);
    for (const std::size_t place : {begin + 1, end}) {
      points.push_back({place, record::ToJson(stats::Median(level))});
    }
    begin = end;
  }
  return {{"name", "median between changes"}, {"points", std::move(points)}};
}

Json TrendChart(const JudgedSeries& judged, const std::vector<RevisionRow>& rows) {
  const history::SeriesKey& key = judged.series.key;
  Json points = Json::array();
  Json names = Json::array();
  Json marks = Json::array();
  for (const RevisionRow& row : rows) {
    const auto place = static_cast<double>(row.place + 1);
    points.push_back(row.spread.is_interval
                         ? PointJson(place, row.spread)
                         : Json::array({place, record::ToJson(row.spread.median)}));
    names.push_back(RevisionLabel(row.Value().revision.name));
    if (row.change) {
      // Put the mark between the last revision of the old level and the first of the new one.
      marks.push_back({{"x", place - 0.5},
                       {"name", fmt::format("{} x {:.3g}", RevisionLabel(row.Value().revision.name),
                                            judged.changes.found[*row.change].ratio.ratio)}});
    }
  }
  return {{"kind", "curve"},
          {"x", AxisJson("revision", "")},
          {"value", AxisJson(SeriesMetricLabel(key), key.reference.empty() ? key.unit : "ratio",
                             key.better)},
          {"lines", {{{"name", SchedulerLabel(key)}, {"points", std::move(points)}}}},
          {"fits", Json::array({LevelLine(judged)})},
          {"marks", std::move(marks)},
          {"names", std::move(names)},
          {"from_zero", false}};
}

Section SeriesSection(const JudgedSeries& judged, Media media, const TerminalStyle& style) {
  const std::vector<RevisionRow> rows = RowsOf(judged);
  Section section{.title = SeriesLabel(judged.series),
                  .lead = {{"on " + PlaceLabel(judged.series.key), "", Emphasis::kWeak}},
                  .table = RevisionsTable(rows, style),
                  .chart = TrendChart(judged, rows),
                  .media = media};
  for (const RevisionRow& row : rows) {
    if (row.change && media == kInPage) {
      section.details.push_back({fmt::format("{}: x {}", RevisionLabel(row.Value().revision.name),
                                             ChangeText(judged, *row.change))});
    }
  }
  if (judged.changes.found.empty()) {
    section.details.push_back({StatusOf(judged), "", Emphasis::kWeak});
  }
  return section;
}

// Returns the columns that name a series.
TableOf<const JudgedSeries*> NamesTable() {
  TableOf<const JudgedSeries*> table;
  table.Add({"#", kRight}, [](const JudgedSeries* one) { return one->series.number; });
  table.Add({"workload"}, [](const JudgedSeries* one) { return WorkloadLabel(one->series.key); });
  table.Add({"scheduler"}, [](const JudgedSeries* one) { return SchedulerLabel(one->series.key); });
  table.Add({"metric"}, [](const JudgedSeries* one) { return SeriesMetricLabel(one->series.key); });
  table.Add({.name = "revisions", .align = kRight, .loss = 2},
            [](const JudgedSeries* one) { return one->series.values.size(); });
  return table;
}

// Adds a table for each machine and build, in the order of the first series of each.
void AddLists(const HistoryResult& result, const TerminalStyle& style,
              std::vector<Section>& sections) {
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
  for (const auto& group : groups) {
    TableOf<const JudgedSeries*> table = NamesTable();
    table.Add({.name = "newest", .loss = 1}, [](const JudgedSeries* one) {
      return RevisionLabel(one->series.values.back().revision.name);
    });
    table.Add({"value", kRight}, [&style](const JudgedSeries* one) {
      return HistoryValueText(one->series.key, one->series.values.back().Value(), style);
    });
    table.Add({.name = "trend", .loss = 3},
              [&style](const JudgedSeries* one) { return TrendText(*one, style); });
    sections.push_back({.title = "on " + PlaceLabel(group.front()->series.key),
                        .table = std::move(table).Rows(group),
                        .media = kInTerminal});
  }
}

Section VerdictsSection(const HistoryResult& result) {
  TableOf<const JudgedSeries*> table = NamesTable();
  table.Add({.name = "changes", .align = kRight, .loss = 2},
            [](const JudgedSeries* one) { return one->changes.found.size(); });
  table.Add({"newest change"}, [](const JudgedSeries* one) {
    const auto& found = one->changes.found;
    return found.empty()
               ? StatusOf(*one)
               : fmt::format("{} at {}", ChangeText(*one, found.size() - 1),
                             RevisionLabel(one->series.values[found.back().at].revision.name));
  });
  const auto all = VectorOf(result.series, [](const auto& series) { return &series; });
  const auto regressions = std::ranges::count_if(result.series, &JudgedSeries::IsRegression);
  return {
      .title = "Verdicts",
      .table = std::move(table).Rows(all),
      .details = {{regressions == 0
                       ? "no regression is proven"
                       : Plural(static_cast<std::size_t>(regressions), "regression") + " proven",
                   "", Emphasis::kStrong}}};
}

}  // namespace

Document DocumentOf(const HistoryResult& result, const TerminalStyle& style) {
  using Kind = HistoryResult::Kind;
  Document document{.title = fmt::format("History of {} series", result.series.size()),
                    .facts = {{"database", result.file}},
                    .notes = NotesOn(result),
                    .origin = Origin{result.machine, result.command, std::nullopt, kInPage}};
  if (result.series.empty()) {
    document.sections.push_back(
        {.details = {result.is_empty
                         ? Sentence{config::Quoted(result.file) + " is empty",
                                    "schedbench history add RESULT.json"}
                         : Sentence{config::Quoted(result.file) +
                                    " has no series whose values can be better or worse"}}});
  } else if (result.kind == Kind::kList) {
    AddLists(result, style, document.sections);
  } else if (result.kind == Kind::kCheck) {
    document.sections.push_back(VerdictsSection(result));
  }
  std::vector<RevisionRow> rows;
  for (const JudgedSeries& series : result.series) {
    document.sections.push_back(
        SeriesSection(series, result.kind == Kind::kShow ? kForPeople : kInPage, style));
    std::ranges::move(RowsOf(series), std::back_inserter(rows));
  }
  document.rows = RevisionsTable(rows, style);
  for (const std::string& sentence : LevelSentences(result)) {
    if (result.kind != Kind::kList && !result.series.empty()) {
      document.notes.push_back({sentence, "", "changes"});
    }
  }
  return document;
}

}  // namespace schedbench::report
