#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace schedbench::report {

namespace {

using harness::CellResult;

constexpr std::size_t kMostAsGood = 10;   // cells in a terminal; the other formats have all
constexpr std::size_t kMostCharted = 40;  // cells in the chart; the table has all
constexpr std::size_t kMostColumns = 12;  // limit of a two-way table in a terminal
constexpr std::size_t kMostRows = 40;

// Returns the cells, the best first; cells without a result are last.
std::vector<std::size_t> SortedCells(const SweepResult& result) {
  std::vector<std::size_t> sorted = Indices(result.plan.cells.size());
  const double sign = result.plan.metric->better == registry::Better::kLower ? -1 : 1;
  std::ranges::sort(sorted, [&](std::size_t a, std::size_t b) {
    const auto& first = result.analysis.cells[a].spread;
    const auto& second = result.analysis.cells[b].spread;
    if (first && second && first->median != second->median) {
      return sign * first->median > sign * second->median;
    }
    return first.has_value() == second.has_value() ? a < b : first.has_value();
  });
  return sorted;
}

// Returns none for a cell without a result, or if no cell has one.
std::optional<double> RatioToBest(const SweepResult& result, std::size_t cell) {
  const CellResult& one = result.analysis.cells[cell];
  if (!one.spread || !result.analysis.best) {
    return std::nullopt;
  }
  return one.to_best
             ? one.to_best->estimate.ratio
             : one.spread->median / result.analysis.cells[*result.analysis.best].spread->median;
}

// Returns "0.84 (0.80 to 0.89)", "0.84, no interval", "1", or "".
std::string RatioToBestText(const SweepResult& result, std::size_t cell) {
  const CellResult& one = result.analysis.cells[cell];
  if (one.to_best) {
    return EstimateText(one.to_best->estimate);
  }
  const auto ratio = RatioToBest(result, cell);
  if (!ratio || cell == result.analysis.best) {
    return ratio ? "1" : "";
  }
  return fmt::format("{:.3g}, no interval", *ratio);
}

const harness::ScalePoint* PointOf(const SweepResult& result, std::size_t cell) {
  for (const harness::ScaleCurve& curve : result.curves) {
    const auto found = std::ranges::find(curve.points, cell, &harness::ScalePoint::cell);
    if (found != curve.points.end()) {
      return &*found;
    }
  }
  return nullptr;
}

// Returns the columns of the keys, then what is known of the cell.
Table CellsTable(const SweepResult& result, const std::vector<std::size_t>& cells,
                 const TerminalStyle& style) {
  const harness::SweepPlan& plan = result.plan;
  const bool is_sweep = result.kind == SweepResult::Kind::kSweep;
  const auto of = [&result](std::size_t cell) -> const CellResult& {
    return result.analysis.cells[cell];
  };
  TableOf<std::size_t> table;
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    table.Add({plan.keys[key].name}, [&plan, key](std::size_t cell) {
      const std::string& value = plan.keys[key].values[plan.cells[cell].place[key]];
      return Cell(value, config::Escaped(value));
    });
  }
  table.Add({.name = "metric", .media = kInRows}, [&](std::size_t) { return plan.metric->name; });
  table.Add({.name = "unit", .media = kInRows}, [&](std::size_t) { return plan.metric->unit; });
  table.Add({std::string(plan.metric->name), kRight, kForPeople}, [&](std::size_t cell) {
    return of(cell).spread ? ValueText(plan, cell, of(cell).spread->median, style) : style.Dash();
  });
  table.Add({"spread", kLeft, kForPeople}, [&](std::size_t cell) -> Cell {
    return of(cell).spread ? SpreadText(*of(cell).spread, style) : "";
  });
  using harness::Spread;
  for (const auto& [name, part] :
       {std::pair{"median", &Spread::median}, std::pair{"low", &Spread::low},
        std::pair{"high", &Spread::high}}) {
    table.Add({.name = name, .media = kInRows}, [&, part](std::size_t cell) {
      return NumberCell(Mapped(of(cell).spread, part),
                        [&](double value) { return ValueText(plan, cell, value, style); });
    });
  }
  if (is_sweep) {
    table.Add({"ratio to the best", kLeft, kForPeople},
              [&](std::size_t cell) { return RatioToBestText(result, cell); });
  }
  const bool scales = result.kind == SweepResult::Kind::kScale;
  table.AddRatio({.name = scales ? "speedup" : "ratio to best", .media = kInRows},
                 [&result](std::size_t cell) -> std::optional<stats::RatioEstimate> {
                   const harness::ScalePoint* const point = PointOf(result, cell);
                   return point != nullptr ? point->speedup
                                           : Mapped(result.analysis.cells[cell].to_best,
                                                    &harness::CellRatio::estimate);
                 });
  table.Add({.name = "blocks", .media = kInRows},
            [&](std::size_t cell) { return std::to_string(result.data.Cell(cell).blocks.size()); });
  table.Add({.name = "status", .media = is_sweep ? kEverywhere : kInRows},
            [&](std::size_t cell) { return StatusOf(result, cell); });
  table.Add({.name = "status", .media = is_sweep ? 0 : kForPeople},
            [&](std::size_t cell) { return of(cell).spread ? "passed" : of(cell).missing; });
  table.Add({.name = "reason", .media = kInRows},
            [&](std::size_t cell) { return result.data.Cell(cell).failure; });
  return std::move(table).Rows(cells);
}

Json CellRow(const SweepResult& result, std::size_t cell) {
  const CellResult& one = result.analysis.cells[cell];
  Json row{{"name", CellName(result.plan, cell)}};
  if (cell == result.analysis.best) {
    row["value"] = 1;
    row["note"] = "best";
  } else if (one.to_best) {
    row["value"] = one.to_best->estimate.ratio;
    row["low"] = one.to_best->estimate.low;
    row["high"] = one.to_best->estimate.high;
    row["verdict"] = harness::ToText(one.to_best->verdict);
  } else if (const auto ratio = RatioToBest(result, cell)) {
    row["value"] = *ratio;
    row["note"] = "no interval";
  } else {
    row["note"] = one.missing;
  }
  return row;
}

// Returns the best cell, how to run it, and how many others may be as good.
Section BestSection(const SweepResult& result, const TerminalStyle& style) {
  const harness::SweepAnalysis& analysis = result.analysis;
  Section section{.title = "Best by " + MetricLabel(*result.plan.metric)};
  if (!analysis.best) {
    section.details = {{"no cell has a result", "", Emphasis::kStrong}};
    return section;
  }
  const std::size_t best = *analysis.best;
  section.lead = {{fmt::format("{}   {}", CellName(result.plan, best),
                               WithSpread(result.plan, best, *analysis.cells[best].spread, style)),
                   CommandOf(result.plan, best), Emphasis::kStrong}};
  std::size_t with_result = 0;
  std::size_t same = 0;
  for (std::size_t cell = 0; cell < analysis.cells.size(); ++cell) {
    with_result += analysis.cells[cell].spread ? 1 : 0;
    if (analysis.cells[cell].same_as && ++same <= kMostAsGood) {
      section.lead.push_back(
          {fmt::format("{}: {}", CellName(result.plan, cell), StatusOf(result, cell))});
    }
  }
  std::vector<std::size_t> as_good = analysis.indistinguishable;
  if (as_good.empty()) {
    section.lead.push_back({with_result > 1 ? "every other cell is proven worse"
                            : same > 0
                                ? "the settings made no difference: there is nothing to choose"
                                : "no other cell has a result"});
    return section;
  }
  section.lead.push_back({fmt::format("{} may be as good", Plural(as_good.size(), "cell"))});
  std::ranges::sort(as_good, std::greater<>(), [&](std::size_t cell) {
    const double median = analysis.cells[cell].spread->median;
    return result.plan.metric->better == registry::Better::kLower ? -median : median;
  });
  section.most_rows = kMostAsGood;
  section.table = CellsTable(result, as_good, style);
  for (ColumnHead& column : section.table.columns) {
    column.media &= kInTerminal;  // a page has all cells in the next section
  }
  return section;
}

Section AllCellsSection(const SweepResult& result, const TerminalStyle& style) {
  const std::vector<std::size_t> sorted = SortedCells(result);
  const bool has_interval = std::ranges::any_of(
      result.analysis.cells, [](const CellResult& cell) { return cell.to_best.has_value(); });
  Section section{
      .title = "All cells by " + MetricLabel(*result.plan.metric),
      .about = fmt::format("Each cell as a ratio to the best one.{}",
                           has_interval ? " All intervals hold at once with 95 %." : ""),
      .table = CellsTable(result, sorted, style),
      .media = kInPage};
  if (!result.analysis.best) {
    section.about = "";
    section.empty = "no cell has a result";
    return section;
  }
  Json rows = ArrayOf(Indices(std::min(sorted.size(), kMostCharted)),
                      [&](std::size_t i) { return CellRow(result, sorted[i]); });
  if (sorted.size() > kMostCharted) {
    section.details.push_back({fmt::format(
        "the chart has the best {} of {} cells, the table has all", kMostCharted, sorted.size())});
  }
  section.chart = {{"kind", "intervals"},
                   {"value", AxisJson(fmt::format("ratio of {} to the best cell",
                                                  MetricLabel(*result.plan.metric)),
                                      "ratio", result.plan.metric->better)},
                   {"reference", "the best"},
                   {"groups", Json::array({{{"name", ""}, {"rows", std::move(rows)}}})}};
  return section;
}

Section KeySection(const SweepResult& result, std::size_t key, const TerminalStyle& style) {
  const harness::SweepKey& one = result.plan.keys[key];
  Table table{.columns = {{one.name, kRight},
                          {"mean", kRight},
                          {"spread"},
                          {.name = "cells", .align = kRight, .loss = 1}}};
  Json bars = Json::array();
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    const harness::Marginal& marginal = result.analysis.marginals[key][i];
    Json bar{{"name", one.values[i]}};
    if (marginal.spread) {
      AddSpread(*marginal.spread, bar);
    } else {
      bar["note"] = "no cell has a result";
    }
    bars.push_back(std::move(bar));
    table.rows.push_back({config::Escaped(one.values[i]),
                          marginal.spread
                              ? ShortValueText(result.plan, marginal.spread->median, style)
                              : style.Dash(),
                          marginal.spread ? SpreadText(*marginal.spread, style) : "",
                          std::to_string(marginal.cells)});
  }
  return {.title = fmt::format("{} by {}", Capitalised(MetricLabel(*result.plan.metric)), one.name),
          .about = "The geometric mean of all cells with a value.",
          .table = std::move(table),
          .chart = {{"kind", "bars"},
                    {"value", AxisOfCells(result.plan)},
                    {"interval", "interval over the blocks"},
                    {"bars", std::move(bars)}},
          .most_rows = kMostRows};
}

Section PairSection(const SweepResult& result, const TerminalStyle& style) {
  const auto [a, b] = *result.pair;
  const harness::SweepKey& down = result.plan.keys[a];
  const harness::SweepKey& across = result.plan.keys[b];
  Table table{.columns = {{fmt::format("{} \\ {}", down.name, across.name), kRight}}};
  for (std::size_t j = 0; j < across.values.size(); ++j) {
    table.columns.push_back({.name = config::Escaped(across.values[j]),
                             .align = kRight,
                             .media = j < kMostColumns ? kForPeople : kInPage,
                             .loss = static_cast<int>(j)});
  }
  std::vector<Sentence> details;
  if (across.values.size() > kMostColumns) {
    details.push_back({"the CSV result has all values"});
  }
  const auto values = harness::TwoWay(result.plan, result.analysis, a, b);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(config::Escaped(down.values[i]));
    for (const std::optional<double>& value : values[i]) {
      row.emplace_back(value ? ShortValueText(result.plan, *value, style) : style.Dash());
    }
  }
  return {.title = fmt::format("{} by {} and {}", Capitalised(MetricLabel(*result.plan.metric)),
                               down.name, across.name),
          .about = "The geometric mean of all cells with both values.",
          .table = std::move(table),
          .details = std::move(details),
          .chart = {{"kind", "heatmap"},
                    {"value", AxisOfCells(result.plan)},
                    {"rows", {{"name", down.name}, {"values", down.values}}},
                    {"columns", {{"name", across.name}, {"values", across.values}}},
                    {"cells", record::ToJson(values)},
                    {"missing", "no cell has a result"}},
          .most_rows = kMostRows};
}

// Returns how reliable the shares of the keys are.
std::vector<Sentence> ReliabilityOf(const SweepResult& result) {
  const harness::Importance& importance = *result.analysis.importance;
  const std::string noise = Percent(importance.variance.noise);
  std::vector<Sentence> sentences;
  if (importance.variance.noise > harness::kMuchNoise) {
    sentences.push_back(
        {fmt::format("noise dominates: it explains {} of all differences, so the shares of the "
                     "rest are unreliable",
                     noise),
         fmt::format("--blocks {}", 4 * result.plan.blocks)});
  } else {
    sentences.push_back({fmt::format(
        "{}noise explains {} of all differences",
        importance.variance.effects.size() > 1 ? "shares of what noise leaves; " : "", noise)});
  }
  for (const auto& [key, value] : importance.left_out) {
    sentences.push_back({fmt::format(
        "without {}={}, of which cells have no result, or fewer blocks", result.plan.keys[key].name,
        config::Escaped(result.plan.keys[key].values[value]))});
  }
  return sentences;
}

Section ImportanceSection(const SweepResult& result) {
  const harness::Importance& importance = *result.analysis.importance;
  Section section{.title = "What explains the differences", .details = ReliabilityOf(result)};
  std::vector<stats::GridEffect> effects = importance.variance.effects;
  if (effects.size() == 1) {
    return section;  // a single key explains all that is not noise
  }
  section.about = "Shares of the variance between cells, of what noise leaves.";
  section.table.columns = {{"key"}, {"share", kRight}};
  Json bars = Json::array();
  const auto add = [&](const std::string& name, double share) {
    bars.push_back({{"name", name}, {"value", share}});
    section.table.rows.push_back({name, Percent(share)});
  };
  std::ranges::sort(effects, std::greater<>(), &stats::GridEffect::share);
  for (const stats::GridEffect& effect : effects) {
    std::vector<std::string> names;
    for (const std::size_t factor : effect.factors) {
      names.push_back(result.plan.keys[importance.keys[factor]].name);
    }
    if (names.size() == 1 || effect.share >= 0.001) {
      add(fmt::format("{}", fmt::join(names, " x ")), effect.share);
    }
  }
  if (importance.variance.higher >= 0.001) {
    add("three or more keys together", importance.variance.higher);
  }
  section.chart = {{"kind", "bars"},
                   {"value", AxisJson("share of the differences", "share")},
                   {"bars", std::move(bars)}};
  return section;
}

std::vector<Section> SweepSections(const SweepResult& result, const TerminalStyle& style) {
  std::vector<Section> sections{BestSection(result, style), AllCellsSection(result, style)};
  if (!result.analysis.best) {
    return sections;
  }
  for (std::size_t key = 0; key < result.analysis.marginals.size(); ++key) {
    sections.push_back(KeySection(result, key, style));
  }
  if (result.pair) {
    sections.push_back(PairSection(result, style));
  }
  if (result.analysis.importance) {
    sections.push_back(ImportanceSection(result));
  }
  const auto early = std::ranges::count_if(result.data.series,
                                           [](const auto& cell) { return cell.front().settled; });
  if (early > 0) {
    sections.push_back(
        {.title = "Ended early",
         .details = {{fmt::format("{} ended early: proven worse than the best by more than {}",
                                  Plural(static_cast<std::uint64_t>(early), "cell"),
                                  Percent(result.plan.min_effect))}}});
  }
  return sections;
}

Section SuiteSection(const SweepResult& result, const TerminalStyle& style) {
  const auto passed = std::ranges::count_if(
      result.analysis.cells, [](const CellResult& cell) { return cell.spread.has_value(); });
  return {.title = "All pairs",
          .table = CellsTable(result, Indices(result.plan.cells.size()), style),
          .details = {{fmt::format("{} of {} passed, with every answer verified", passed,
                                   Plural(result.plan.cells.size(), "cell"))}}};
}

}  // namespace

Document DocumentOf(const SweepResult& result, const TerminalStyle& style) {
  Document document{.title = fmt::format("{}", fmt::join(HeadlineParts(result), " · ")),
                    .headline = HeadlineParts(result),
                    .endings = EndingsOf(result),
                    .notes = NotesOn(result),
                    .origin = Origin{result.machine, result.command, result.plan.seed},
                    .rows = CellsTable(result, Indices(result.plan.cells.size()), style)};
  switch (result.kind) {
    case SweepResult::Kind::kSweep:
      document.sections = SweepSections(result, style);
      break;
    case SweepResult::Kind::kScale:
      document.sections = ScaleSections(result, style);
      break;
    case SweepResult::Kind::kSuite:
      document.sections = {SuiteSection(result, style)};
      break;
  }
  if (std::vector<Sentence> failures = FailuresOf(result); !failures.empty()) {
    document.sections.push_back({.title = "Without a result", .details = std::move(failures)});
  }
  return document;
}

}  // namespace schedbench::report
