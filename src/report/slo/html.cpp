#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/slo/slo_report.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::LatencyLimit;
using harness::LoadProbe;

// The latencies of all limits as lines, each limit as a horizontal line.
Json LoadChart(const harness::SloResult& result, const std::vector<const LoadProbe*>& probes) {
  const std::string operation = std::string(result.plan.workload->operation) + "s/s";
  Json lines = Json::array();
  Json limits = Json::array();
  for (const LatencyLimit& limit : result.limits) {
    Json points = Json::array();
    for (const LoadProbe* const probe : probes) {
      if (const auto& spread = probe->summary[limit.metric].spread) {
        points.push_back(PointJson(probe->rate, *spread));
      }
    }
    lines.push_back({{"name", SloLatencyName(limit)}, {"points", std::move(points)}});
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

std::string RenderHtml(const harness::SloResult& result) {
  PageHead head{.title = fmt::format("{} on {}: the largest rate", result.plan.workload->name,
                                     SchedulerText(result.plan)),
                .facts = {{"workload", WorkloadText(result.plan)},
                          {"rounds", fmt::format("{} and {} warm-up at each rate",
                                                 result.plan.rounds, result.plan.warmup)}},
                .notes = SloNotes(result)};
  if (!result.complete) {
    head.notes.insert(head.notes.begin(), {.text = "partial: " + result.failure, .remedy = ""});
  }
  Json sections = Json::array();
  const std::vector<const LoadProbe*> probes = ProbesByRate(result);
  if (!probes.empty()) {
    PageSection section{.title = "Latency by rate",
                        .about = "Medians of the rounds at each rate, with their intervals.",
                        .sentences = Sentences(SloAnswer(result, kPageStyle)),
                        .table = {.columns = {{"rate"}}}};
    for (const LatencyLimit& limit : result.limits) {
      section.table.columns.insert(section.table.columns.end(),
                                   {{std::string(SloLatencyName(limit))}, {"spread"}});
    }
    section.table.columns.push_back({"verdict", false});
    for (const LoadProbe* const probe : probes) {
      section.table.rows.push_back(ProbeCells(result, *probe, kPageStyle));
    }
    sections.push_back(SectionJson(section, LoadChart(result, probes)));
  }
  return ChartPageText(head, result.machine, result.command, result.plan.seed, std::move(sections));
}

}  // namespace schedbench::report
