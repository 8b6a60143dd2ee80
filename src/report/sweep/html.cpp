#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/quantity.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::CellResult;

constexpr std::size_t kMostCharted = 40;  // cells; the table has all

// The best first; cells without a result last.
std::vector<std::size_t> SortedCells(const SweepResult& result) {
  std::vector<std::size_t> sorted(result.plan.cells.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
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

Json BestSection(const SweepResult& result) {
  const std::vector<std::size_t> sorted = SortedCells(result);
  PageSection section{.title = "All cells by " + MetricLabel(*result.plan.metric),
                      .table = CellTable(result, sorted)};
  if (!result.analysis.best) {
    section.empty = "no cell has a result";
    return SectionJson(section);
  }
  const std::size_t best = *result.analysis.best;
  section.about = "Each cell as a ratio to the best one.";
  const bool has_interval = std::ranges::any_of(result.analysis.cells, [](const CellResult& cell) {
    return cell.to_best.has_value();
  });
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
  Json rows = ArrayOf(std::min(sorted.size(), kMostCharted), [&](std::size_t i) {
    return CellRow(result, sorted[i]);
  });
  if (sorted.size() > kMostCharted) {
    section.sentences.push_back(fmt::format(
        "the chart has the best {} of {} cells, the table has all", kMostCharted, sorted.size()));
  }
  return SectionJson(section,
                     {{"kind", "intervals"},
                      {"value", AxisJson(fmt::format("ratio of {} to the best cell",
                                                     MetricLabel(*result.plan.metric)),
                                         "ratio", result.plan.metric->better)},
                      {"reference", "the best"},
                      {"groups", Json::array({{{"name", ""}, {"rows", std::move(rows)}}})}});
}

Json KeySection(const SweepResult& result, std::size_t key) {
  const harness::SweepKey& one = result.plan.keys[key];
  PageSection section{
      .title = fmt::format("{} by {}", Capitalised(MetricLabel(*result.plan.metric)), one.name),
      .about = "The geometric mean of all cells with a value.",
      .table = {.columns = {{one.name, false}, {"mean"}, {"spread"}, {"cells"}}}};
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

Json PairSection(const SweepResult& result) {
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
  Json cells = Json::array();
  const auto values = harness::TwoWay(result.plan, result.analysis, a, b);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<std::string> texts{down.values[i]};
    for (const std::optional<double>& value : values[i]) {
      texts.push_back(value ? ShortValueText(result.plan, *value, kPageStyle) : "—");
    }
    cells.push_back(ArrayOf(values[i], [](const std::optional<double>& value) {
      return JsonNumber(value);
    }));
    section.table.rows.push_back(std::move(texts));
  }
  return SectionJson(section, {{"kind", "heatmap"},
                               {"value", AxisOfCells(result.plan)},
                               {"rows", {{"name", down.name}, {"values", down.values}}},
                               {"columns", {{"name", across.name}, {"values", across.values}}},
                               {"cells", std::move(cells)},
                               {"missing", "no cell has a result"}});
}

Json ImportanceSection(const SweepResult& result) {
  const harness::Importance& importance = *result.analysis.importance;
  PageSection section{.title = "What explains the differences",
                      .about = "Shares of the variance between cells, of what noise leaves.",
                      .sentences = Sentences(ReliabilityLines(result)),
                      .table = {.columns = {{"key", false}, {"share"}}}};
  Json bars = Json::array();
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

Json SweepSections(const SweepResult& result) {
  Json sections = Json::array({BestSection(result)});
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

Json SuiteSections(const SweepResult& result) {
  std::vector<std::size_t> all(result.plan.cells.size());
  std::iota(all.begin(), all.end(), 0U);
  const auto passed = std::ranges::count_if(result.analysis.cells, [](const CellResult& cell) {
    return cell.spread.has_value();
  });
  return Json::array({SectionJson(
      {.title = "All pairs",
       .about = fmt::format("{} of {} passed, with every answer verified.", passed, all.size()),
       .table = CellTable(result, all)})});
}

Json SectionsOf(const SweepResult& result) {
  return result.kind == SweepResult::Kind::kSweep   ? SweepSections(result)
         : result.kind == SweepResult::Kind::kScale ? ScaleSections(result)
                                                    : SuiteSections(result);
}

}  // namespace

Json AxisOfCells(const harness::SweepPlan& plan) {
  const std::string_view operation = plan.cells.front().workload.entry->operation;
  const bool is_common = std::ranges::all_of(plan.cells, [&](const harness::SweepCell& cell) {
    return cell.workload.entry->operation == operation;
  });
  return AxisJson(*plan.metric, is_common ? operation : "");
}

std::string RenderHtml(const SweepResult& result) {
  PageHead head{
      .title = fmt::format("{}", fmt::join(HeadlineParts(result), " · ")),
      .facts = {},
      .notes = NotesOfLines(EndingLines(result, kPageStyle) + FailureLines(result, kPageStyle))};
  std::ranges::move(NotesOn(result), std::back_inserter(head.notes));
  return ChartPageText(head, result.machine, result.command, result.plan.seed, SectionsOf(result));
}

}  // namespace schedbench::report
