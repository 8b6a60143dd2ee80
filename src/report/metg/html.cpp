#include "report/metg/parts.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::MetgPoint;
using nlohmann::ordered_json;

// The points of a curve that have an efficiency, by the grain.
struct GrainPoint {
  std::uint64_t grain_ns;
  harness::Spread efficiency;
};

std::vector<GrainPoint> PointsOf(const MetgResult& result, std::size_t index) {
  std::vector<GrainPoint> points;
  for (const MetgPoint& point : result.data.curves[index]) {
    if (const auto efficiency = harness::EfficiencyOf(result.plan, point)) {
      points.push_back({point.grain_ns, *efficiency});
    }
  }
  std::ranges::sort(points, {}, &GrainPoint::grain_ns);
  return points;
}

ordered_json ResultSection(const MetgResult& result, std::size_t workload) {
  const std::size_t count = result.plan.alternatives.size();
  PageSection section{
      .title = "Granularity under " + result.plan.workloads[workload].name,
      .about = fmt::format("The smallest time of a worker for a task, with all overhead, at which "
                           "{} of it is work.",
                           Percent(result.plan.efficiency)),
      .table = {.columns = {{"alternative", false},
                            {fmt::format("METG({})", Percent(result.plan.efficiency))},
                            {"95 % interval"},
                            {"ratio to the first"},
                            {"conclusion", false}}}};
  ordered_json bars = ordered_json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = workload * count + i;
    const harness::MetgCurve& curve = result.curves[index];
    const std::vector<std::string> cells = GranularityCells(result, index, kPageStyle);
    const std::string& name = result.plan.alternatives[i].name;
    section.table.rows.push_back({name});
    section.table.rows.back().insert(section.table.rows.back().end(), cells.begin(), cells.end());
    ordered_json bar{{"name", name}, {"note", cells.back()}};
    if (curve.outcome == harness::MetgOutcome::kFound && curve.ns) {
      bar["value"] = *curve.ns;
      if (curve.low && curve.high) {
        bar["low"] = *curve.low;
        bar["high"] = *curve.high;
      }
    }
    bars.push_back(std::move(bar));
  }
  return SectionJson(section, {{"kind", "bars"},
                               {"value", AxisJson("granularity", "ns", registry::Better::kLower)},
                               {"interval", "95 % interval"},
                               {"bars", std::move(bars)}});
}

ordered_json EfficiencySection(const MetgResult& result, std::size_t workload) {
  const std::size_t count = result.plan.alternatives.size();
  PageSection section{
      .title = "Efficiency by grain under " + result.plan.workloads[workload].name,
      .about = "The share of a worker's time for a task that is work, by the work of a task.",
      .table = {.columns = {{"alternative", false}, {"grain"}, {"efficiency"}, {"low"}, {"high"}}}};
  ordered_json lines = ordered_json::array();
  std::uint64_t least = result.plan.grains.back();
  std::uint64_t most = result.plan.grains.front();
  for (std::size_t i = 0; i < count; ++i) {
    ordered_json points = ordered_json::array();
    const std::string& name = result.plan.alternatives[i].name;
    for (const auto& [grain_ns, efficiency] : PointsOf(result, workload * count + i)) {
      const auto grain = static_cast<double>(grain_ns);
      points.push_back(PointJson(grain, efficiency));
      section.table.rows.push_back({name, Duration(grain, kPageStyle), Percent(efficiency.median),
                                    Percent(efficiency.low), Percent(efficiency.high)});
      least = std::min(least, grain_ns);
      most = std::max(most, grain_ns);
    }
    lines.push_back({{"name", name}, {"points", std::move(points)}});
  }
  return SectionJson(
      section,
      {{"kind", "curve"},
       {"x", AxisJson("grain: work of a task", "ns")},
       {"value", AxisJson("efficiency", "share", registry::Better::kHigher)},
       {"lines", std::move(lines)},
       {"fits",
        ordered_json::array(
            {{{"name", Percent(result.plan.efficiency)},
              {"points", {{least, result.plan.efficiency}, {most, result.plan.efficiency}}}}})}});
}

}  // namespace

std::string RenderMetgHtml(const MetgResult& result, const TerminalStyle& /*style*/) {
  PageHead head{.title = fmt::format("METG({})", Percent(result.plan.efficiency)),
                .facts = {},
                .notes = NotesOfLines(MetgEndingLines(result, kPageStyle) +
                                      MetgFailureLines(result, kPageStyle))};
  for (std::size_t i = 0; i < result.plan.workloads.size(); ++i) {
    head.title += (i == 0 ? " of " : ", ") + result.plan.workloads[i].name;
  }
  for (Note& note : NotesOn(result)) {
    head.notes.push_back(std::move(note));
  }
  ordered_json sections = ordered_json::array();
  for (std::size_t i = 0; i < result.plan.workloads.size(); ++i) {
    sections.push_back(ResultSection(result, i));
    sections.push_back(EfficiencySection(result, i));
  }
  return ChartPageText(head, result.machine, result.command, result.plan.seed, std::move(sections));
}

}  // namespace schedbench::report
