#include "report/sweep/parts.hpp"

#include "config/quote.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/places.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/replay.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace schedbench::report {

namespace {

constexpr std::size_t kMostLines = 20;      // of one kind; the JSON result has all
constexpr std::size_t kMostDetails = 6;     // lines that an agent reported
constexpr std::size_t kLongestText = 1000;  // characters of a reason

enum class Trouble { kFailed, kRefused, kImpossible, kLost };

std::optional<Trouble> TroubleOf(const SweepResult& result, std::size_t cell) {
  const harness::Series& series = result.data.cells[cell];
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
  if (result.data.cells[cell].settled) {
    return "worse, ended early";
  }
  return one.to_best ? std::string(harness::ToText(one.to_best->verdict)) : "inconclusive";
}

}  // namespace

std::string CellName(const harness::SweepPlan& plan, std::size_t cell) {
  std::string name;
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    const harness::SweepKey& one = plan.keys[key];
    name += fmt::format("{}{}={}", name.empty() ? "" : " ", one.name,
                        config::Escaped(one.values[plan.cells[cell].place[key]]));
  }
  return name;
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
  const harness::Series& series = result.data.cells[cell];
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

std::string FailureLines(const SweepResult& result, const TerminalStyle& style) {
  constexpr std::array kKinds{
      std::pair{Trouble::kFailed, "failed"}, std::pair{Trouble::kRefused, "refused"},
      std::pair{Trouble::kImpossible, "not possible"}, std::pair{Trouble::kLost, "not measured"}};
  std::string text;
  for (const auto& [kind, word] : kKinds) {
    std::size_t count = 0;
    for (std::size_t cell = 0; cell < result.plan.cells.size(); ++cell) {
      if (TroubleOf(result, cell) != kind || ++count > kMostLines) {
        continue;
      }
      const harness::Series& series = result.data.cells[cell];
      text += fmt::format("{} {}: {}\n", style.Bold(word), CellName(result.plan, cell),
                          config::Escaped(series.failure, kLongestText));
      for (std::size_t i = 0; i < std::min(series.details.size(), kMostDetails); ++i) {
        text += fmt::format("    {}\n", config::Escaped(series.details[i], kLongestText));
      }
    }
    if (count > kMostLines) {
      text += fmt::format("{}: {} more; the JSON result has all\n", word, count - kMostLines);
    }
  }
  return text;
}

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

std::string EndingLines(const SweepResult& result, const TerminalStyle& style) {
  std::string text;
  if (!result.data.complete) {
    text += LabelledLine("partial", "the measurement was interrupted", style);
  } else if (result.data.out_of_budget) {
    text += LabelledLine("budget", "the time of --budget was over before the last block", style);
  }
  text += report::PlaceLines(result.plan.places, style, result.data.lost);
  if (const std::string blocks = BlocksOfPlaces(result); !blocks.empty()) {
    text += LabelledLine("blocks", blocks, style);
  }
  return text + DisturbedLine(result.data.repeated, result.data.disturbed, style);
}

}  // namespace schedbench::report
