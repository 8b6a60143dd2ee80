#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/document/table.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "report/slo/slo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::LoadEnding;
using harness::LoadProbe;
using harness::SloResult;

// Returns the probes in ascending order of their rates.
std::vector<const LoadProbe*> ProbesByRate(const SloResult& result) {
  auto probes = VectorOf(result.probes, [](const auto& probe) { return &probe; });
  std::ranges::sort(probes, {}, &LoadProbe::rate);
  return probes;
}

// Returns all digits, for reuse on the command line.
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

std::string SearchesText(const SloResult& result) {
  const auto rates = VectorOf<std::string>(result.searches, [](const auto& search) {
    return search.holds ? Rate(*search.holds) : "no rate";
  });
  return fmt::format("{}", fmt::join(rates, ", "));
}

std::string_view LatencyName(const harness::LatencyLimit& limit) {
  return std::string_view(limit.text).substr(0, limit.text.find('<'));
}

// Returns the largest rate that holds; "" while the search runs.
std::string AnswerOf(const SloResult& result) {
  const auto bounds = harness::BoundsOf(result);
  if (!bounds) {
    return "";
  }
  const auto rate = [&](double value) { return RateWithUnit(*result.plan.workload, value); };
  if (!IsRepeatable(result)) {
    return fmt::format("not repeatable here: {} searches ended at {}", result.searches.size(),
                       SearchesText(result));
  }
  switch (bounds->ending) {
    case LoadEnding::kFound:
      return fmt::format("largest rate that holds: {} in {}; {} does not", rate(*bounds->holds),
                         result.searches.size() == 1
                             ? "1 search"
                             : fmt::format("each of {} searches ({})", result.searches.size(),
                                           SearchesText(result)),
                         Rate(*bounds->fails));
    case LoadEnding::kNeverHolds:
      return fmt::format("no rate holds, down to {}", rate(*bounds->fails));
    case LoadEnding::kAlwaysHolds:
      return fmt::format("every rate holds, up to {}, the highest possible", rate(*bounds->holds));
    case LoadEnding::kOutOfProbes:
    case LoadEnding::kStopped:
      return fmt::format("the search ended early: {}{}",
                         bounds->holds ? rate(*bounds->holds) + " holds" : "no rate held",
                         bounds->fails ? fmt::format(", {} does not", Rate(*bounds->fails)) : "");
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
  const bool is_blind = std::ranges::any_of(
      result.probes, [](const LoadProbe& probe) { return !probe.backlog_growth; });
  if (is_blind) {
    notes.push_back({fmt::format("rounds have too few {}s to see whether the load was kept",
                                 result.plan.workload->operation),
                     fmt::format("schedbench describe workload {}", result.plan.workload->name)});
  }
  return notes;
}

Table ProbesTable(const SloResult& result, const TerminalStyle& style) {
  TableOf<const LoadProbe*> table;
  table.Add({.name = "scheduler", .media = kInRows},
            [&result](const LoadProbe* /*probe*/) { return result.plan.scheduler->name; });
  table.Add({.name = "workload", .media = kInRows},
            [&result](const LoadProbe* /*probe*/) { return WorkloadText(result.plan); });
  table.Add({.name = "rate", .media = kInRows}, [](const LoadProbe* probe) {
    return Cell(ExactNumber(probe->rate), WithUnit(probe->rate, "requests/s"));
  });
  table.Add({std::string(result.plan.workload->operation) + "s/s", kRight, kForPeople},
            [](const LoadProbe* probe) { return Rate(probe->rate); });
  table.Add({.name = "holds", .media = kInRows},
            [](const LoadProbe* probe) { return FlagCell(probe->holds); });
  table.Add({.name = "saturated", .media = kInRows},
            [](const LoadProbe* probe) { return FlagCell(probe->saturated); });
  for (const harness::LatencyLimit& limit : result.limits) {
    table.Add({.name = limit.text, .media = kInRows}, [&limit, &style](const LoadProbe* probe) {
      const auto& row = probe->summary[limit.metric];
      return row.spread ? Cell(ExactNumber(row.spread->median),
                               MetricText(*row.metric, row.spread->median, style))
                        : Cell();
    });
    table.Add({std::string(LatencyName(limit)), kRight, kForPeople},
              [&limit, &style](const LoadProbe* probe) { return Latency(limit, *probe, style); });
    table.Add({"spread", kLeft, kForPeople}, [&limit, &style](const LoadProbe* probe) {
      const auto& spread = probe->summary[limit.metric].spread;
      return Cell(spread ? SpreadText(*spread, style) : "");  // one round does not have a spread
    });
  }
  table.Add({"verdict", kLeft, kForPeople},
            [](const LoadProbe* probe) { return ProbeVerdict(*probe); });
  return std::move(table).Rows(ProbesByRate(result));
}

// Returns the latencies of all limits as lines, each limit as a horizontal line.
Json LoadChart(const SloResult& result) {
  const std::vector<const LoadProbe*> probes = ProbesByRate(result);
  const std::string operation = std::string(result.plan.workload->operation) + "s/s";
  Json lines = Json::array();
  Json limits = Json::array();
  for (const harness::LatencyLimit& limit : result.limits) {
    Json points = Json::array();
    for (const LoadProbe* const probe : probes) {
      if (const auto& spread = probe->summary[limit.metric].spread) {
        points.push_back(PointJson(probe->rate, *spread));
      }
    }
    lines.push_back({{"name", LatencyName(limit)}, {"points", std::move(points)}});
    limits.push_back(
        {{"name", "limit " + limit.text},
         {"points",
          {{probes.front()->rate, limit.below_ns}, {probes.back()->rate, limit.below_ns}}}});
  }
  Json chart{{"kind", "curve"},
             {"x", AxisJson("offered rate", operation)},
             {"value", AxisJson("latency", "ns", registry::Better::kLower)},
             {"logarithmic", true},
             {"lines", std::move(lines)},
             {"fits", std::move(limits)}};
  if (const auto bounds = harness::BoundsOf(result);
      bounds && bounds->holds && IsRepeatable(result)) {
    chart["border"] = {{"x", *bounds->holds}, {"name", "largest rate that holds"}};
  }
  return chart;
}

}  // namespace

std::string ProbeLine(const registry::WorkloadEntry& workload,
                      const std::vector<harness::LatencyLimit>& limits, const LoadProbe& probe,
                      const TerminalStyle& style) {
  std::string line = "  " + Padded(RateWithUnit(workload, probe.rate), 22, kRight);
  for (const harness::LatencyLimit& limit : limits) {
    line += fmt::format("   {} {}", LatencyName(limit), Latency(limit, probe, style));
  }
  return line + "   " + ProbeVerdict(probe);
}

Document DocumentOf(const SloResult& result, const TerminalStyle& style) {
  const auto texts = VectorOf(result.limits, &harness::LatencyLimit::text);
  const std::string rounds = fmt::format("{} and {} warm-up at each rate",
                                         Plural(result.plan.rounds, "round"), result.plan.warmup);
  Document document{.title = fmt::format("{} on {}: the largest rate", result.plan.workload->name,
                                         SchedulerText(result.plan)),
                    .headline = {SchedulerText(result.plan), WorkloadText(result.plan),
                                 fmt::format("{}", fmt::join(texts, " and ")), rounds},
                    .facts = {{"workload", WorkloadText(result.plan)}, {"rounds", rounds}},
                    .notes = SloNotes(result),
                    .origin = Origin{result.machine, result.command, result.plan.seed},
                    .rows = ProbesTable(result, style)};
  if (!result.complete) {
    document.endings.push_back({config::Escaped(result.failure, 1000), "", "partial"});
  }
  if (!result.probes.empty()) {
    document.sections.push_back(
        {.title = "Latency by rate",
         .about = "Medians of the rounds at each rate, with their intervals.",
         .table = document.rows,
         .chart = LoadChart(result)});
  }
  if (std::string answer = AnswerOf(result); !answer.empty()) {
    document.sections.push_back(
        {.title = "Answer", .details = {{std::move(answer), "", Emphasis::kStrong}}});
  }
  return document;
}

}  // namespace schedbench::report
