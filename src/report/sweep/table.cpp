#include "config/quote.hpp"
#include "harness/agent/agreement.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

constexpr std::size_t kMostAsGood = 10;   // cells that are listed; CSV and JSON have all
constexpr std::size_t kMostColumns = 12;  // of a two-way table
constexpr std::size_t kMostRows = 40;

std::string BestLines(const SweepResult& result, const TerminalStyle& style) {
  const harness::SweepAnalysis& analysis = result.analysis;
  if (!analysis.best) {
    return "no cell has a result\n";
  }
  const std::size_t best = *analysis.best;
  const harness::Spread& spread = *analysis.cells[best].spread;
  std::string text = fmt::format("best by {}: {}   {}\n", result.plan.metric->name,
                                 style.Bold(CellName(result.plan, best)),
                                 WithSpread(result.plan, best, spread, style));
  text += fmt::format("  {}\n", CommandOf(result.plan, best));
  std::size_t with_result = 0;
  std::size_t same = 0;
  for (std::size_t cell = 0; cell < analysis.cells.size(); ++cell) {
    with_result += analysis.cells[cell].spread ? 1 : 0;
    if (analysis.cells[cell].same_as && ++same <= kMostAsGood) {
      text += fmt::format("{}: {}\n", CellName(result.plan, cell), StatusOf(result, cell));
    }
  }
  const std::vector<std::size_t>& as_good = analysis.indistinguishable;
  if (as_good.empty()) {
    return text + (with_result > 1 ? "every other cell is proven worse\n"
                   : same > 0      ? "the settings made no difference: there is nothing to choose\n"
                                   : "no other cell has a result\n");
  }
  text += fmt::format("{} may be as good:\n", Plural(as_good.size(), "cell"));
  TextTable table{{"cell"}, {"value"}, {""}, {"ratio to the best"}, {""}};
  std::vector<std::size_t> sorted = as_good;
  std::ranges::sort(sorted, std::greater<>(), [&](std::size_t cell) {
    const double median = analysis.cells[cell].spread->median;
    return result.plan.metric->better == registry::Better::kLower ? -median : median;
  });
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostAsGood); ++i) {
    const harness::CellResult& cell = analysis.cells[sorted[i]];
    table.AddRow({CellName(result.plan, sorted[i]),
                  ValueText(result.plan, sorted[i], cell.spread->median, style),
                  SpreadText(*cell.spread, style),
                  cell.to_best ? EstimateText(cell.to_best->estimate) : "too few blocks",
                  StatusOf(result, sorted[i])});
  }
  text += table.Render(style);
  if (sorted.size() > kMostAsGood) {
    text += fmt::format("  {} {} more\n", style.Sign("…", "..."), sorted.size() - kMostAsGood);
  }
  return text;
}

std::string KeyTables(const SweepResult& result, const TerminalStyle& style) {
  std::string text;
  for (std::size_t key = 0; key < result.analysis.marginals.size(); ++key) {
    TextTable table{{result.plan.keys[key].name, kRight},
                    {std::string(result.plan.metric->name), kRight},
                    {""},
                    {"cells", kRight, false, 1}};
    const auto& marginals = result.analysis.marginals[key];
    for (std::size_t value = 0; value < std::min(marginals.size(), kMostRows); ++value) {
      const harness::Marginal& marginal = marginals[value];
      table.AddRow({config::Escaped(result.plan.keys[key].values[value]),
                    marginal.spread ? ShortValueText(result.plan, marginal.spread->median, style)
                                    : style.Dash(),
                    marginal.spread ? SpreadText(*marginal.spread, style) : "",
                    fmt::format("{}", marginal.cells)});
    }
    text += "\n" + table.Render(style);
    if (marginals.size() > kMostRows) {
      text += fmt::format("  {} {} more\n", style.Sign("…", "..."), marginals.size() - kMostRows);
    }
  }
  return text;
}

std::string PairTable(const SweepResult& result, const TerminalStyle& style) {
  if (!result.pair || !result.analysis.best) {
    return "";
  }
  const auto [a, b] = *result.pair;
  const auto values = harness::TwoWay(result.plan, result.analysis, a, b);
  const harness::SweepKey& across = result.plan.keys[b];
  TextTable table{{fmt::format("{} \\ {}", result.plan.keys[a].name, across.name), kRight}};
  const std::size_t columns = std::min(across.values.size(), kMostColumns);
  for (std::size_t j = 0; j < columns; ++j) {
    table.AddColumn(config::Escaped(across.values[j]), kRight, false, static_cast<int>(j));
  }
  for (std::size_t i = 0; i < std::min(values.size(), kMostRows); ++i) {
    std::vector<std::string> cells{config::Escaped(result.plan.keys[a].values[i])};
    for (std::size_t j = 0; j < columns; ++j) {
      cells.push_back(values[i][j] ? ShortValueText(result.plan, *values[i][j], style)
                                   : style.Dash());
    }
    table.AddRow(std::move(cells));
  }
  std::string text = "\n" + table.Render(style);
  if (columns < across.values.size() || kMostRows < values.size()) {
    text += "  the CSV result has all values\n";
  }
  return text;
}

std::string ImportanceLines(const SweepResult& result, const TerminalStyle& style) {
  const auto& importance = result.analysis.importance;
  if (!importance) {
    return "";
  }
  const harness::SweepPlan& plan = result.plan;
  TextTable table{{"what explains the differences"}, {"share", kRight}};
  std::vector<stats::GridEffect> effects = importance->variance.effects;
  std::ranges::sort(effects, std::greater<>(), &stats::GridEffect::share);
  for (const stats::GridEffect& effect : effects) {
    std::string name;
    for (const std::size_t factor : effect.factors) {
      name += (name.empty() ? "" : " x ") + plan.keys[importance->keys[factor]].name;
    }
    if (effect.factors.size() == 1 || effect.share >= 0.001) {
      table.AddRow({name, Percent(effect.share)});
    }
  }
  if (importance->variance.higher >= 0.001) {
    table.AddRow({"three or more keys together", Percent(importance->variance.higher)});
  }
  // A single key explains all that is not noise.
  std::string text = "\n" + (effects.size() > 1 ? table.Render(style) : "");
  return text + ReliabilityLines(result);
}

std::string SweepTables(const SweepResult& result, const TerminalStyle& style) {
  std::string text = "\n" + BestLines(result, style);
  if (!result.analysis.best) {
    return text;
  }
  text += KeyTables(result, style) + PairTable(result, style) + ImportanceLines(result, style);
  const auto early = std::ranges::count(result.data.cells, true, &harness::Series::settled);
  if (early > 0) {
    text += fmt::format("\n{} ended early: proven worse than the best by more than {}\n",
                        Plural(static_cast<std::uint64_t>(early), "cell"),
                        Percent(result.plan.min_effect));
  }
  return text;
}

// Whatever machines have in common in their blocks is no difference between cells. What is better
// on one machine may still be worse on another.
void NoteOnMachines(const SweepResult& result, std::vector<Note>& notes) {
  const std::vector<harness::PlacePtr>& places = result.plan.places;
  if (places.size() < 2) {
    return;
  }
  NoteOnSameMachine(places, notes);
  if (result.plan.cells.front().measured_at) {
    return;
  }
  const harness::AgentMachine& first = places.front()->machine;
  const bool differ = std::ranges::any_of(places, [&first](const harness::PlacePtr& place) {
    return place->machine.cpu_model != first.cpu_model || place->machine.cpus != first.cpus ||
           place->machine.kernel != first.kernel;
  });
  if (differ) {
    notes.push_back(
        {"the machines differ in their CPUs or kernels: each ratio is the median over blocks of "
         "all of them, and may be another one on one of them",
         result.kind == SweepResult::Kind::kSweep ? "--on-each" : "--host with one machine"});
  }
}

std::string SuiteTable(const SweepResult& result, const TerminalStyle& style) {
  TextTable table;
  for (const harness::SweepKey& key : result.plan.keys) {
    table.AddColumn(key.name);
  }
  table.AddColumn("");
  std::size_t passed = 0;
  for (std::size_t cell = 0; cell < result.plan.cells.size(); ++cell) {
    std::vector<std::string> cells;
    for (std::size_t key = 0; key < result.plan.keys.size(); ++key) {
      cells.push_back(
          config::Escaped(result.plan.keys[key].values[result.plan.cells[cell].place[key]]));
    }
    const auto& spread = result.analysis.cells[cell].spread;
    passed += spread ? 1 : 0;
    cells.push_back(spread ? WithSpread(result.plan, cell, *spread, style)
                           : result.analysis.cells[cell].missing);
    table.AddRow(std::move(cells));
  }
  return "\n" + table.Render(style) +
         fmt::format("\n{} of {} passed, with every answer verified\n", passed,
                     Plural(result.plan.cells.size(), "cell"));
}

}  // namespace

std::vector<std::string> HeadlineParts(const SweepResult& result) {
  const harness::SweepPlan& plan = result.plan;
  std::vector<std::string> parts;
  const harness::SweepCell& first = plan.cells.front();
  if (std::ranges::find(plan.keys, "scheduler", &harness::SweepKey::name) == plan.keys.end()) {
    parts.push_back(config::Escaped(first.alternative.name));
  }
  if (result.kind != SweepResult::Kind::kSuite) {
    parts.emplace_back(first.workload.entry->name);
  }
  parts.push_back(Plural(plan.cells.size(), "cell"));
  parts.push_back(fmt::format("{} of {} and {} warm-up", Plural(plan.blocks, "block"),
                              Plural(plan.rounds, "round"), plan.warmup));
  return parts;
}

std::string ReliabilityLines(const SweepResult& result) {
  const auto& importance = result.analysis.importance;
  if (!importance) {
    return "";
  }
  const std::string noise = Percent(importance->variance.noise);
  std::string text =
      importance->variance.noise > harness::kMuchNoise
          ? fmt::format(
                "  noise dominates: it explains {} of all differences, so the shares of "
                "the rest are unreliable    --blocks {}\n",
                noise, 4 * result.plan.blocks)
          : fmt::format(
                "  {}noise explains {} of all differences\n",
                importance->variance.effects.size() > 1 ? "shares of what noise leaves; " : "",
                noise);
  for (const auto& [key, value] : importance->left_out) {
    text += fmt::format("  without {}={}, of which cells have no result, or fewer blocks\n",
                        result.plan.keys[key].name,
                        config::Escaped(result.plan.keys[key].values[value]));
  }
  return text;
}

std::vector<Note> NotesOn(const SweepResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.plan.perturbed, notes);
  NoteOnMachines(result, notes);
  std::set<std::string> changed;
  for (std::size_t i = 0; i < result.plan.cells.size(); ++i) {
    const std::string& config = result.data.cells[i].config;
    const std::string& asked = result.plan.cells[i].alternative.config;
    if (!config.empty() && changed.insert(harness::ChangedSettings(asked, config)).second) {
      NoteOnSettings("a cell", asked, config, notes);
    }
  }
  if (result.kind == SweepResult::Kind::kSuite || !result.analysis.best) {
    return notes;
  }
  const std::size_t needed = harness::LooksOf(result.plan).SizeOf(0);
  const std::size_t measured = result.data.cells[*result.analysis.best].blocks.size();
  if (measured < needed) {
    notes.push_back({fmt::format("{} {} too few for the intervals of all pairs of {} at once",
                                 Plural(measured, "block"), measured == 1 ? "is" : "are",
                                 Plural(result.plan.cells.size(), "cell")),
                     fmt::format("--blocks {}", needed)});
  }
  const auto stops_short = [](const auto& ratio) {
    return ratio && ratio->stops_short;
  };
  std::size_t short_intervals = 0;
  for (const harness::ScaleCurve& curve : result.curves) {
    short_intervals += static_cast<std::size_t>(
        std::ranges::count_if(curve.points, stops_short, &harness::ScalePoint::speedup));
  }
  for (const harness::CellResult& cell : result.analysis.cells) {
    const bool counts = result.kind == SweepResult::Kind::kSweep && cell.to_best;
    short_intervals += counts && cell.to_best->estimate.stops_short ? 1 : 0;
  }
  if (short_intervals > 0) {
    notes.push_back({fmt::format("blocks of {} resemble their neighbours: {} too narrow an "
                                 "interval for a proof",
                                 Plural(short_intervals, "cell"),
                                 short_intervals == 1 ? "it may have" : "each may have"),
                     fmt::format("--blocks {}", 2 * measured)});
  }
  return notes;
}

std::string RenderTable(const SweepResult& result, const TerminalStyle& style) {
  std::string text =
      style.Bold(Joined(HeadlineParts(result), 0, style)) + "\n" + EndingLines(result, style);
  text += result.kind == SweepResult::Kind::kSweep   ? SweepTables(result, style)
          : result.kind == SweepResult::Kind::kScale ? ScaleTables(result, style)
                                                     : SuiteTable(result, style);
  const std::string failures = FailureLines(result, style);
  return text + (failures.empty() ? "" : "\n") + failures + "\n" +
         NoteLines(NotesOn(result), style) +
         OriginLines(result.machine, result.command, result.plan.seed, style);
}

}  // namespace schedbench::report
