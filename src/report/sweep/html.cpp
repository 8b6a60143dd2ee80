#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/quantity.hpp"
#include "report/sweep/page.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::CellResult;
using nlohmann::ordered_json;

constexpr std::size_t kMostCharted = 40;  // cells; the table has all

// The best first; cells without a result last.
std::vector<std::size_t> SortedCells(const SweepResult& result) {
  std::vector<std::size_t> sorted(result.plan.cells.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sorted[i] = i;
  }
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

// None for a cell without a result, or if no cell has one.
std::optional<double> RatioToBest(const SweepResult& result, std::size_t cell) {
  const CellResult& one = result.analysis.cells[cell];
  if (!one.spread || !result.analysis.best) {
    return std::nullopt;
  }
  return one.to_best
             ? one.to_best->estimate.ratio
             : one.spread->median / result.analysis.cells[*result.analysis.best].spread->median;
}

// "0.84 (0.80 to 0.89)", "0.84, no interval", "1", or "".
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

// "yields", "workers", ..., then what is known of the cell.
PageTable CellTable(const SweepResult& result, const std::vector<std::size_t>& sorted) {
  PageTable table;
  for (const harness::SweepKey& key : result.plan.keys) {
    table.columns.push_back({key.name, false});
  }
  const bool has_best = result.kind == SweepResult::Kind::kSweep;
  table.columns.insert(table.columns.end(), {{std::string(result.plan.metric->name)}, {"spread"}});
  if (has_best) {
    table.columns.insert(table.columns.end(), {{"ratio to the best"}, {"status", false}});
  } else {
    table.columns.push_back({"status", false});
  }
  for (const std::size_t cell : sorted) {
    std::vector<std::string> cells;
    for (std::size_t key = 0; key < result.plan.keys.size(); ++key) {
      cells.push_back(result.plan.keys[key].values[result.plan.cells[cell].place[key]]);
    }
    const CellResult& one = result.analysis.cells[cell];
    cells.push_back(one.spread ? ValueText(result.plan, cell, one.spread->median, kPageStyle)
                               : "—");
    cells.push_back(one.spread ? SpreadText(*one.spread, kPageStyle) : "");
    if (has_best) {
      cells.push_back(RatioToBestText(result, cell));
      cells.push_back(StatusOf(result, cell));
    } else {
      cells.push_back(one.spread ? "passed" : one.missing);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ordered_json CellRow(const SweepResult& result, std::size_t cell) {
  const CellResult& one = result.analysis.cells[cell];
  ordered_json row{{"name", CellName(result.plan, cell)}};
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

ordered_json BestSection(const SweepResult& result) {
  const std::vector<std::size_t> sorted = SortedCells(result);
  PageSection section{.title = "All cells by " + MetricLabel(*result.plan.metric),
                      .table = CellTable(result, sorted)};
  if (!result.analysis.best) {
    section.empty = "no cell has a result";
    return SectionJson(section, nullptr);
  }
  const std::size_t best = *result.analysis.best;
  section.about = "Each cell as a ratio to the best one.";
  const bool has_interval = std::ranges::any_of(
      result.analysis.cells,
      [](const auto& to_best) {
        return to_best.has_value();
      },
      &CellResult::to_best);
  if (has_interval) {
    section.about += " All intervals hold at once with 95 %.";
  }
  section.sentences = {
      fmt::format("best by {}: {}   {}", result.plan.metric->name, CellName(result.plan, best),
                  WithSpread(result.plan, best, *result.analysis.cells[best].spread, kPageStyle)),
      "its command: " + CommandOf(result.plan, best)};
  const auto with_result = std::ranges::count_if(result.analysis.cells, [](const CellResult& cell) {
    return cell.spread.has_value();
  });
  const std::size_t as_good = result.analysis.indistinguishable.size();
  section.sentences.push_back(as_good == 1       ? "1 cell may be as good"
                              : as_good > 1      ? fmt::format("{} cells may be as good", as_good)
                              : with_result == 1 ? "no other cell has a result"
                                                 : "every other cell is proven worse");
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostCharted); ++i) {
    rows.push_back(CellRow(result, sorted[i]));
  }
  if (sorted.size() > kMostCharted) {
    section.sentences.push_back(fmt::format(
        "the chart has the best {} of {} cells, the table has all", kMostCharted, sorted.size()));
  }
  return SectionJson(
      section, {{"kind", "intervals"},
                {"value", AxisJson(fmt::format("ratio of {} to the best cell",
                                               MetricLabel(*result.plan.metric)),
                                   "ratio", result.plan.metric->better)},
                {"reference", "the best"},
                {"groups", ordered_json::array({{{"name", ""}, {"rows", std::move(rows)}}})}});
}

ordered_json KeySection(const SweepResult& result, std::size_t key) {
  const harness::SweepKey& one = result.plan.keys[key];
  PageSection section{
      .title = fmt::format("{} by {}", Capitalised(MetricLabel(*result.plan.metric)), one.name),
      .about = "The geometric mean of all cells with a value.",
      .table = {.columns = {{one.name, false}, {"mean"}, {"spread"}, {"cells"}}}};
  ordered_json bars = ordered_json::array();
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    const harness::Marginal& marginal = result.analysis.marginals[key][i];
    ordered_json bar{{"name", one.values[i]}};
    if (marginal.spread) {
      AddSpread(*marginal.spread, bar);
    } else {
      bar["note"] = "no cell has a result";
    }
    bars.push_back(std::move(bar));
    section.table.rows.push_back(
        {one.values[i],
         marginal.spread ? ShortValueText(result.plan, marginal.spread->median, kPageStyle) : "—",
         marginal.spread ? SpreadText(*marginal.spread, kPageStyle) : "",
         fmt::format("{}", marginal.cells)});
  }
  return SectionJson(section, {{"kind", "bars"},
                               {"value", AxisOfCells(result.plan)},
                               {"interval", "interval over the blocks"},
                               {"bars", std::move(bars)}});
}

ordered_json PairSection(const SweepResult& result) {
  const auto [a, b] = *result.pair;
  const harness::SweepKey& down = result.plan.keys[a];
  const harness::SweepKey& across = result.plan.keys[b];
  PageSection section{
      .title = fmt::format("{} by {} and {}", Capitalised(MetricLabel(*result.plan.metric)),
                           down.name, across.name),
      .about = "The geometric mean of all cells with both values.",
      .table = {.columns = {{fmt::format("{} \\ {}", down.name, across.name), false}}}};
  for (const std::string& value : across.values) {
    section.table.columns.push_back({value});
  }
  ordered_json cells = ordered_json::array();
  const auto values = harness::TwoWay(result.plan, result.analysis, a, b);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ordered_json row = ordered_json::array();
    std::vector<std::string> texts{down.values[i]};
    for (const std::optional<double>& value : values[i]) {
      row.push_back(JsonNumber(value));
      texts.push_back(value ? ShortValueText(result.plan, *value, kPageStyle) : "—");
    }
    cells.push_back(std::move(row));
    section.table.rows.push_back(std::move(texts));
  }
  return SectionJson(section, {{"kind", "heatmap"},
                               {"value", AxisOfCells(result.plan)},
                               {"rows", {{"name", down.name}, {"values", down.values}}},
                               {"columns", {{"name", across.name}, {"values", across.values}}},
                               {"cells", std::move(cells)},
                               {"missing", "no cell has a result"}});
}

ordered_json ImportanceSection(const SweepResult& result) {
  const harness::Importance& importance = *result.analysis.importance;
  PageSection section{.title = "What explains the differences",
                      .about = "Shares of the variance between cells, of what noise leaves.",
                      .sentences = Sentences(ReliabilityLines(result)),
                      .table = {.columns = {{"key", false}, {"share"}}}};
  ordered_json bars = ordered_json::array();
  const auto add = [&](const std::string& name, double share) {
    bars.push_back({{"name", name}, {"value", share}});
    section.table.rows.push_back({name, Percent(share)});
  };
  std::vector<stats::GridEffect> effects = importance.variance.effects;
  std::ranges::sort(effects, std::greater<>(), &stats::GridEffect::share);
  for (const stats::GridEffect& effect : effects) {
    std::vector<std::string> names;
    for (const std::size_t factor : effect.factors) {
      names.push_back(result.plan.keys[importance.keys[factor]].name);
    }
    add(fmt::format("{}", fmt::join(names, " x ")), effect.share);
  }
  if (importance.variance.higher >= 0.001) {
    add("three or more keys together", importance.variance.higher);
  }
  return SectionJson(section, {{"kind", "bars"},
                               {"value", AxisJson("share of the differences", "share")},
                               {"bars", std::move(bars)}});
}

ordered_json SweepSections(const SweepResult& result) {
  ordered_json sections = ordered_json::array();
  sections.push_back(BestSection(result));
  if (!result.analysis.best) {
    return sections;
  }
  if (result.pair) {
    sections.push_back(PairSection(result));
  }
  for (std::size_t key = 0; key < result.analysis.marginals.size(); ++key) {
    sections.push_back(KeySection(result, key));
  }
  if (result.analysis.importance && result.analysis.importance->variance.effects.size() > 1) {
    sections.push_back(ImportanceSection(result));
  }
  return sections;
}

ordered_json SuiteSections(const SweepResult& result) {
  std::vector<std::size_t> all(result.plan.cells.size());
  std::size_t passed = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
    passed += result.analysis.cells[i].spread ? 1 : 0;
  }
  ordered_json sections = ordered_json::array();
  sections.push_back(SectionJson(
      {.title = "All pairs",
       .about = fmt::format("{} of {} passed, with every answer verified.", passed, all.size()),
       .table = CellTable(result, all)},
      nullptr));
  return sections;
}

ordered_json SectionsOf(const SweepResult& result) {
  switch (result.kind) {
    case SweepResult::Kind::kSweep:
      return SweepSections(result);
    case SweepResult::Kind::kScale:
      return ScaleSections(result);
    case SweepResult::Kind::kSuite:
      return SuiteSections(result);
  }
  return ordered_json::array();
}

}  // namespace

ordered_json AxisOfCells(const harness::SweepPlan& plan) {
  const std::string_view operation = plan.cells.front().workload.entry->operation;
  const bool is_common = std::ranges::all_of(plan.cells, [&](const harness::SweepCell& cell) {
    return cell.workload.entry->operation == operation;
  });
  return AxisJson(*plan.metric, is_common ? operation : "");
}

std::string RenderSweepHtml(const SweepResult& result, const TerminalStyle& /*style*/) {
  PageHead head{
      .title = fmt::format("{}", fmt::join(HeadlineParts(result), " · ")),
      .facts = {},
      .notes = NotesOfLines(EndingLines(result, kPageStyle) + FailureLines(result, kPageStyle))};
  for (Note& note : NotesOn(result)) {
    head.notes.push_back(std::move(note));
  }
  return ChartPageText(head, result.machine, result.command, result.plan.seed, SectionsOf(result));
}

}  // namespace schedbench::report
