#include "report/sweep/parts.hpp"

#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "harness/agent/agreement.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

namespace schedbench::report {

namespace {

constexpr std::size_t kMostLines = 20;      // limit of each kind; the JSON result has all
constexpr std::size_t kMostDetails = 6;     // lines that an agent reported
constexpr std::size_t kLongestText = 1000;  // characters of a reason

enum class Trouble { kFailed, kRefused, kImpossible, kLost };

std::optional<Trouble> TroubleOf(const SweepResult& result, std::size_t cell) {
  const harness::Series& series = result.data.Cell(cell);
  if (series.failure.empty()) {
    return std::nullopt;
  }
  return !result.plan.cells[cell].impossible.empty()  ? Trouble::kImpossible
         : series.lost != harness::Series::Lost::kNot ? Trouble::kLost
         : series.refused || series.absent            ? Trouble::kRefused
                                                      : Trouble::kFailed;
}

std::string VerdictOf(const SweepResult& result, std::size_t cell) {
  const harness::CellResult& one = result.analysis.cells[cell];
  if (cell == result.analysis.best) {
    return "best";
  }
  if (result.data.Cell(cell).settled) {
    return "worse, ended early";
  }
  return one.to_best ? std::string(harness::ToText(one.to_best->verdict)) : "inconclusive";
}

// Returns "5 blocks on a (1.02 of the mean), 5 blocks on b (0.98 of the mean)", or "".
std::string BlocksOfPlaces(const SweepResult& result) {
  const std::vector<harness::PlaceShare>& places = result.analysis.places;
  std::string text;
  for (const harness::PlaceShare& place : places) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", Plural(place.blocks, "block"),
                        config::Escaped(place.name));
    if (places.size() > 1) {
      text += fmt::format(" ({:.3g} of the mean)", place.factor);
    }
  }
  return text;
}

}  // namespace

std::string CellName(const harness::SweepPlan& plan, std::size_t cell) {
  const auto parts = VectorOf(Indices(plan.keys.size()), [&](std::size_t key) {
    const harness::SweepKey& one = plan.keys[key];
    return one.name + "=" + config::Escaped(one.values[plan.cells[cell].place[key]]);
  });
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string ValueText(const harness::SweepPlan& plan, std::size_t cell, double value,
                      const TerminalStyle& style) {
  if (plan.metric->name == "throughput") {
    return WithUnit(value, fmt::format("{}s/s", plan.cells[cell].workload.entry->operation));
  }
  return MetricText(*plan.metric, value, style);
}

std::string ShortValueText(const harness::SweepPlan& plan, double value,
                           const TerminalStyle& style) {
  return plan.metric->name == "throughput" ? Scaled(value) + "/s"
                                           : MetricText(*plan.metric, value, style);
}

std::string WithSpread(const harness::SweepPlan& plan, std::size_t cell,
                       const harness::Spread& spread, const TerminalStyle& style) {
  const std::string around = SpreadText(spread, style);
  return ValueText(plan, cell, spread.median, style) + (around.empty() ? "" : " ") + around;
}

std::string StatusOf(const SweepResult& result, std::size_t cell) {
  const harness::Series& series = result.data.Cell(cell);
  const std::string& missing = result.analysis.cells[cell].missing;
  if (const auto same_as = result.analysis.cells[cell].same_as) {
    return "the same in effect as " + CellName(result.plan, *same_as);
  }
  if (!missing.empty()) {
    return missing;
  }
  const std::string verdict = VerdictOf(result, cell);
  return series.lost == harness::Series::Lost::kNot
             ? verdict
             : fmt::format("{}, {} of {} blocks", verdict, series.blocks.size(),
                           result.plan.blocks);
}

std::string CommandOf(const harness::SweepPlan& plan, std::size_t cell) {
  return plan.cells[cell].command.empty() ? "" : ReplayCommand(plan.cells[cell].command, plan.seed);
}

std::vector<Sentence> FailuresOf(const SweepResult& result) {
  constexpr std::array kKinds{
      std::pair{Trouble::kFailed, "failed"}, std::pair{Trouble::kRefused, "refused"},
      std::pair{Trouble::kImpossible, "not possible"}, std::pair{Trouble::kLost, "not measured"}};
  std::vector<Sentence> failures;
  for (const auto& [kind, word] : kKinds) {
    std::size_t count = 0;
    for (std::size_t cell = 0; cell < result.plan.cells.size(); ++cell) {
      if (TroubleOf(result, cell) != kind || ++count > kMostLines) {
        continue;
      }
      const harness::Series& series = result.data.Cell(cell);
      failures.push_back({fmt::format("{} {}: {}", word, CellName(result.plan, cell),
                                      config::Escaped(series.failure, kLongestText))});
      for (std::size_t i = 0; i < std::min(series.details.size(), kMostDetails); ++i) {
        failures.push_back({.text = config::Escaped(series.details[i], kLongestText), .indent = 2});
      }
    }
    if (count > kMostLines) {
      failures.push_back(
          {fmt::format("{}: {} more; the JSON result has all", word, count - kMostLines)});
    }
  }
  return failures;
}

std::vector<Note> EndingsOf(const SweepResult& result) {
  std::vector<Note> notes =
      EndingsOf(result.data.complete, result.data.out_of_budget, result.data.Counts());
  std::ranges::move(NotesOnPlaces(result.plan.places, result.data.lost), std::back_inserter(notes));
  if (std::string blocks = BlocksOfPlaces(result); !blocks.empty()) {
    notes.push_back({std::move(blocks), "", "blocks"});
  }
  return notes;
}

namespace {

// A change that all cells of a machine share is not a difference between cells. A cell that is
// better on one machine may still be worse on another.
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

std::vector<Note> NotesOn(const SweepResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.plan.perturbed, notes);
  NoteOnMachines(result, notes);
  std::set<std::string> changed;
  for (std::size_t i = 0; i < result.plan.cells.size(); ++i) {
    const std::string& config = result.data.Cell(i).config;
    const std::string& asked = result.plan.cells[i].alternative.config;
    if (!config.empty() && changed.insert(harness::ChangedSettings(asked, config)).second) {
      NoteOnSettings("a cell", asked, config, notes);
    }
  }
  if (result.kind == SweepResult::Kind::kSuite || !result.analysis.best) {
    return notes;
  }
  const std::size_t needed = harness::LooksOf(result.plan).SizeOf(0);
  const std::size_t measured = result.data.Cell(*result.analysis.best).blocks.size();
  if (measured < needed) {
    notes.push_back({fmt::format("{} {} too few for the intervals of all pairs of {} at once",
                                 Plural(measured, "block"), measured == 1 ? "is" : "are",
                                 Plural(result.plan.cells.size(), "cell")),
                     fmt::format("--blocks {}", needed)});
  }
  const auto stops_short = [](const auto& ratio) { return ratio && ratio->stops_short; };
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

Json AxisOfCells(const harness::SweepPlan& plan) {
  const std::string_view operation = plan.cells.front().workload.entry->operation;
  const bool is_common = std::ranges::all_of(plan.cells, [&](const harness::SweepCell& cell) {
    return cell.workload.entry->operation == operation;
  });
  return AxisJson(*plan.metric, is_common ? operation : "");
}

}  // namespace schedbench::report
