#include "config/quote.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"
#include "report/slo/slo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

namespace {

using harness::LoadEnding;
using harness::LoadProbe;
using harness::SloResult;

// With all digits, for reuse on the command line.
std::string Rate(double rate) {
  return fmt::format("{:.10g}", rate);
}

std::string RateWithUnit(const registry::WorkloadEntry& workload, double rate) {
  return fmt::format("{} {}s/s", Rate(rate), workload.operation);
}

std::string Latency(const harness::LatencyLimit& limit, const LoadProbe& probe,
                    const TerminalStyle& style) {
  const auto& spread = probe.summary[limit.metric].spread;
  return spread ? Duration(spread->median, style) : style.Dash();
}

std::string ProbeVerdict(const LoadProbe& probe) {
  if (probe.holds) {
    return "holds";
  }
  return probe.saturated ? fmt::format("saturated: {} piled up", Percent(*probe.backlog_growth))
                         : "does not hold";
}

std::string SloHeadline(const SloResult& result, const TerminalStyle& style) {
  std::string limits;
  for (const harness::LatencyLimit& limit : result.limits) {
    limits += (limits.empty() ? "" : " and ") + limit.text;
  }
  std::vector<std::string> parts{
      SchedulerText(result.plan), WorkloadText(result.plan), limits,
      fmt::format("{} and {} warm-up at each rate", Plural(result.plan.rounds, "round"),
                  result.plan.warmup)};
  return style.Bold(Joined(parts, 0, style)) + "\n";
}

std::string ProbeTable(const SloResult& result, const TerminalStyle& style) {
  TextTable table{{std::string(result.plan.workload->operation) + "s/s", kRight}};
  for (const harness::LatencyLimit& limit : result.limits) {
    table.AddColumn(std::string(SloLatencyName(limit)), kRight);
    table.AddColumn("");
  }
  table.AddColumn("");
  for (const LoadProbe* const probe : ProbesByRate(result)) {
    table.AddRow(ProbeCells(result, *probe, style));
  }
  return table.Render(style);
}

std::string SearchesText(const SloResult& result) {
  std::vector<std::string> rates;
  for (const harness::LoadBounds& search : result.searches) {
    rates.push_back(search.holds ? Rate(*search.holds) : "no rate");
  }
  return fmt::format("{}", fmt::join(rates, ", "));
}

}  // namespace

std::string_view SloLatencyName(const harness::LatencyLimit& limit) {
  return std::string_view(limit.text).substr(0, limit.text.find('<'));
}

std::vector<const LoadProbe*> ProbesByRate(const SloResult& result) {
  std::vector<const LoadProbe*> probes;
  for (const LoadProbe& probe : result.probes) {
    probes.push_back(&probe);
  }
  std::ranges::sort(probes, {}, &LoadProbe::rate);
  return probes;
}

std::vector<std::string> ProbeCells(const SloResult& result, const LoadProbe& probe,
                                    const TerminalStyle& style) {
  std::vector<std::string> cells{Rate(probe.rate)};
  for (const harness::LatencyLimit& limit : result.limits) {
    cells.push_back(Latency(limit, probe, style));
    // One round has no spread.
    const auto& spread = probe.summary[limit.metric].spread;
    cells.push_back(spread ? SpreadText(*spread, style) : "");
  }
  cells.push_back(ProbeVerdict(probe));
  return cells;
}

std::string SloAnswer(const SloResult& result, const TerminalStyle& style) {
  const auto all = harness::BoundsOf(result);
  if (!all) {
    return "";
  }
  const harness::LoadBounds& bounds = *all;
  const auto bold = [&](double rate) {
    return style.Bold(RateWithUnit(*result.plan.workload, rate));
  };
  if (!IsRepeatable(result)) {
    return fmt::format("{}: {} searches ended at {}\n", style.Bold("not repeatable here"),
                       result.searches.size(), SearchesText(result));
  }
  switch (bounds.ending) {
    case LoadEnding::kFound:
      return fmt::format("largest rate that holds: {} in {}; {} does not\n", bold(*bounds.holds),
                         result.searches.size() == 1
                             ? "1 search"
                             : fmt::format("each of {} searches ({})", result.searches.size(),
                                           SearchesText(result)),
                         Rate(*bounds.fails));
    case LoadEnding::kNeverHolds:
      return fmt::format("no rate holds, down to {}\n", bold(*bounds.fails));
    case LoadEnding::kAlwaysHolds:
      return fmt::format("every rate holds, up to {}, the highest possible\n", bold(*bounds.holds));
    case LoadEnding::kOutOfProbes:
    case LoadEnding::kStopped:
      return fmt::format("the search ended early: {}{}\n",
                         bounds.holds ? bold(*bounds.holds) + " holds" : "no rate held",
                         bounds.fails ? fmt::format(", {} does not", Rate(*bounds.fails)) : "");
  }
  return "";
}

std::vector<Note> SloNotes(const SloResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  NoteOnPerturbation(result.perturbed, notes);
  const std::string spec =
      fmt::format("{}:{}", result.plan.workload->name, result.plan.workload->open_load->rate);
  const auto bounds = harness::BoundsOf(result);
  if (bounds && bounds->ending == LoadEnding::kNeverHolds) {
    notes.push_back({"lower rates were not tried: their rounds would take long",
                     fmt::format("try --workload {}={}", spec, Rate(*bounds->fails / 4))});
  }
  if (result.disturbance.IsSignificant()) {
    notes.push_back({ToText(result.disturbance), "schedbench doctor"});
  } else if (bounds && !IsRepeatable(result)) {
    notes.push_back(
        {"no other program used much CPU time: the latency near the limit varies from "
         "round to round",
         fmt::format("more --rounds, or a round with more {}s", result.plan.workload->operation)});
  }
  const bool is_blind = std::ranges::any_of(result.probes, [](const LoadProbe& probe) {
    return !probe.backlog_growth;
  });
  if (is_blind) {
    notes.push_back({fmt::format("rounds have too few {}s to see whether the load was kept",
                                 result.plan.workload->operation),
                     fmt::format("schedbench describe workload {}", result.plan.workload->name)});
  }
  return notes;
}

std::string ProbeLine(const registry::WorkloadEntry& workload,
                      const std::vector<harness::LatencyLimit>& limits, const LoadProbe& probe,
                      const TerminalStyle& style) {
  std::string line = "  " + Padded(RateWithUnit(workload, probe.rate), 22, kRight);
  for (const harness::LatencyLimit& limit : limits) {
    line += fmt::format("   {} {}", SloLatencyName(limit), Latency(limit, probe, style));
  }
  return line + "   " + ProbeVerdict(probe);
}

std::string RenderTable(const SloResult& result, const TerminalStyle& style) {
  std::string text = SloHeadline(result, style);
  if (!result.complete) {
    text += LabelledLine("partial", config::Escaped(result.failure, 1000), style);
  }
  if (!result.probes.empty()) {
    text += "\n" + ProbeTable(result, style);
  }
  text += "\n" + SloAnswer(result, style);
  return text + "\n" + NoteLines(SloNotes(result), style) +
         OriginLines(result.machine, result.command, result.plan.seed, style);
}

}  // namespace schedbench::report
