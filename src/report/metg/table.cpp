#include "config/quote.hpp"
#include "report/metg/metg_report.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::MetgCurve;
using harness::MetgOutcome;
using harness::MetgPoint;

// "1.12 µs", "below 30 ns".
std::string GranularityText(const MetgCurve& curve, const TerminalStyle& style) {
  if (!curve.ns) {
    return style.Dash();
  }
  const std::string value = Duration(*curve.ns, style);
  switch (curve.outcome) {
    case MetgOutcome::kBelowSmallest:
      return "at most " + value;
    case MetgOutcome::kNotReached:
      return "above " + value;
    case MetgOutcome::kUnclear:
      return (curve.low_is_open ? "at most " : "at least ") + value;
    default:
      return value;
  }
}

std::string MetgIntervalText(const MetgCurve& curve, const TerminalStyle& style) {
  if (!curve.low || !curve.high) {
    return "";
  }
  return fmt::format("{}{} to {}{}", curve.low_is_open ? "below " : "", Duration(*curve.low, style),
                     curve.high_is_open ? "above " : "", Duration(*curve.high, style));
}

std::string ConclusionText(const MetgResult& result, std::size_t index) {
  const MetgCurve& curve = result.curves[index];
  if (curve.outcome == MetgOutcome::kUnclear) {
    return curve.ns ? "unclear" : "unclear: measured too little";
  }
  if (curve.outcome != MetgOutcome::kFound) {
    return std::string(harness::ToText(curve.outcome));
  }
  if (index % result.plan.alternatives.size() == 0) {
    return result.plan.alternatives.size() == 1 ? "" : "the reference";
  }
  if (!curve.ratio) {
    const std::size_t first = index - index % result.plan.alternatives.size();
    return result.curves[first].outcome == MetgOutcome::kFound ? "too few blocks"
                                                               : "nothing to compare with";
  }
  return std::string(harness::ToText(*curve.verdict));
}

std::string ResultTable(const MetgResult& result, std::size_t workload,
                        const TerminalStyle& style) {
  const std::size_t count = result.plan.alternatives.size();
  TextTable table{{""},
                  {fmt::format("METG({})", Percent(result.plan.efficiency)), kRight},
                  {"95 % interval"},
                  {count > 1 ? "ratio to the first" : ""},
                  {""}};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> cells = GranularityCells(result, workload * count + i, style);
    cells.insert(cells.begin(), config::Escaped(result.plan.alternatives[i].name));
    table.AddRow(std::move(cells));
  }
  return table.Render(style);
}

// A line for each grain of the search, with the efficiency of each alternative that was measured there. CSV has the grains near
// the results as well.
std::string CurvesTable(const MetgResult& result, std::size_t workload,
                        const TerminalStyle& style) {
  const std::size_t count = result.plan.alternatives.size();
  TextTable table{{"efficiency at grain", kRight}};
  for (std::size_t i = 0; i < count; ++i) {
    table.AddColumn(config::Escaped(result.plan.alternatives[i].name), kRight, false,
                    static_cast<int>(i));
  }
  for (const std::uint64_t grain : result.plan.grains) {
    std::vector<std::string> cells{Duration(static_cast<double>(grain), style)};
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      std::string& cell = cells.emplace_back();
      for (const MetgPoint& point : result.data.curves[workload * count + i]) {
        const auto efficiency =
            point.grain_ns == grain ? harness::EfficiencyOf(result.plan, point) : std::nullopt;
        cell = efficiency ? Percent(efficiency->median) : cell;
        any = any || efficiency;
      }
    }
    if (any) {
      table.AddRow(std::move(cells));
    }
  }
  return table.Render(style);
}

void NoteOnUnclear(const MetgResult& result, std::vector<Note>& notes) {
  const auto has = [&result](bool has_bound) {
    return std::ranges::any_of(result.curves, [has_bound](const MetgCurve& curve) {
      return curve.outcome == MetgOutcome::kUnclear && curve.ns.has_value() == has_bound;
    });
  };
  if (has(true)) {
    notes.push_back({fmt::format("unclear: the grains near the result are all on one side of {}, "
                                 "so that only a bound is known",
                                 Percent(result.plan.efficiency)),
                     fmt::format("schedbench doctor; then --blocks {} or wider --grains",
                                 2 * result.plan.blocks)});
  }
  if (has(false) && result.data.out_of_budget) {
    notes.push_back({"unclear: the time was over before the grains near the result were measured",
                     "a larger --budget"});
  }
}

void NoteOnTooFewBlocks(const MetgResult& result, std::vector<Note>& notes) {
  const harness::MetgPlan& plan = result.plan;
  bool any = false;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const MetgCurve& curve = result.curves[i];
    const MetgCurve& first = result.curves[i - i % plan.alternatives.size()];
    const bool compared = &curve != &first && first.outcome == MetgOutcome::kFound;
    any =
        any || (curve.outcome == MetgOutcome::kFound && (!curve.low || (compared && !curve.ratio)));
  }
  if (!any) {
    return;
  }
  const std::size_t ratios = plan.workloads.size() * (plan.alternatives.size() - 1);
  const std::size_t needed = harness::BlocksForRatios(plan);
  const std::string what = ratios <= 1
                               ? "a 95 % interval needs"
                               : fmt::format("95 % intervals of {} ratios at once need", ratios);
  notes.push_back({fmt::format("{} {} blocks of all alternatives", what, needed),
                   plan.blocks < needed        ? fmt::format("--blocks {}", needed)
                   : result.data.out_of_budget ? "a larger --budget"
                                               : ""});
}

}  // namespace

std::vector<std::string> GranularityCells(const MetgResult& result, std::size_t index,
                                          const TerminalStyle& style) {
  const MetgCurve& curve = result.curves[index];
  return {GranularityText(curve, style), MetgIntervalText(curve, style),
          curve.ratio ? EstimateText(*curve.ratio) : "", ConclusionText(result, index)};
}

std::string MetgFailureLines(const MetgResult& result, const TerminalStyle& style) {
  const std::size_t count = result.plan.alternatives.size();
  std::string text;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    if (result.curves[i].outcome == MetgOutcome::kFailed) {
      text += fmt::format("{} {} under {}: {}\n", style.Bold("failed"),
                          config::Escaped(result.plan.alternatives[i % count].name),
                          config::Escaped(result.plan.workloads[i / count].name),
                          config::Escaped(result.curves[i].failure, 1000));
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::vector<Note> NotesOn(const MetgResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.perturbed, notes);
  const auto has = [&result](MetgOutcome outcome) {
    return std::ranges::find(result.curves, outcome, &MetgCurve::outcome) != result.curves.end();
  };
  if (has(MetgOutcome::kNotReached)) {
    notes.push_back({fmt::format("the largest grain of the search does not reach {}: a workload "
                                 "with fewer tasks at a time than workers may never",
                                 Percent(result.plan.efficiency)),
                     fmt::format("--grains {}..{}*4", result.plan.grains.front(),
                                 result.plan.grains.back() * 16)});
  }
  if (has(MetgOutcome::kBelowSmallest) && result.plan.grains.front() > 1) {
    notes.push_back({fmt::format("the smallest grain of the search already reaches {}",
                                 Percent(result.plan.efficiency)),
                     fmt::format("--grains 1..{}*4", result.plan.grains.back())});
  }
  NoteOnUnclear(result, notes);
  NoteOnTooFewBlocks(result, notes);
  return notes;
}

std::string MetgEndingLines(const MetgResult& result, const TerminalStyle& style) {
  std::string text;
  if (!result.data.complete) {
    text += LabelledLine("partial", "the measurement was interrupted", style);
  } else if (result.data.out_of_budget) {
    text += LabelledLine("budget", "the time of --budget was over before the last block", style);
  }
  return text + DisturbedLine(result.data.repeated, result.data.disturbed, style);
}

std::string RenderTable(const MetgResult& result, const TerminalStyle& style) {
  const harness::MetgPlan& plan = result.plan;
  std::vector<std::string> parts{
      "the smallest time per task at which " + Percent(plan.efficiency) + " of it is work",
      fmt::format("{} of {} and {} warm-up", Plural(plan.blocks, "block"),
                  Plural(plan.rounds, "round"), plan.warmup)};
  std::string text = style.Bold(Joined(parts, 0, style)) + "\n" + MetgEndingLines(result, style);
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    text += fmt::format("\n{}\n", style.Bold(config::Escaped(plan.workloads[i].name)));
    text += ResultTable(result, i, style) + "\n" + CurvesTable(result, i, style);
  }
  return text + MetgFailureLines(result, style) + "\n" + NoteLines(NotesOn(result), style) +
         OriginLines(result.machine, result.command, plan.seed, style);
}

}  // namespace schedbench::report
