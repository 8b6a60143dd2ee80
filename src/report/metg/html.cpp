#include "report/metg/metg_report.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using harness::MetgPoint;

struct GrainPoint {
  std::uint64_t grain_ns;
  harness::Spread efficiency;
  std::size_t blocks;
};

// The points of a curve that have an efficiency, by the grain: those near the result, else those of the search. Others were measured
// at another time, so that a line through all of them would be a zigzag.
std::vector<GrainPoint> PointsOf(const MetgResult& result, std::size_t index) {
  const std::vector<MetgPoint>& all = result.data.curves[index];
  const bool has_fine = std::ranges::any_of(all, &MetgPoint::fine);
  std::vector<GrainPoint> points;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // The search comes first and takes the grains of the plan in their order; probes follow.
    const std::vector<std::uint64_t>& grains = result.plan.grains;
    const bool of_search = !all[i].fine && i < grains.size() && all[i].grain_ns == grains[i];
    const auto efficiency = (has_fine ? all[i].fine : of_search)
                                ? harness::EfficiencyOf(result.plan, all[i])
                                : std::nullopt;
    if (efficiency) {
      points.push_back({all[i].grain_ns, *efficiency, all[i].series.blocks.size()});
    }
  }
  std::ranges::sort(points, {}, &GrainPoint::grain_ns);
  return points;
}

Json ResultSection(const MetgResult& result, std::size_t workload) {
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
  Json bars = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = workload * count + i;
    const harness::MetgCurve& curve = result.curves[index];
    std::vector<std::string> cells = GranularityCells(result, index, kPageStyle);
    const std::string& name = result.plan.alternatives[i].name;
    // In the place of a bar that there is not: "above 8.19 µs, not reached".
    Json bar{{"name", name},
             {"note", curve.ns && curve.outcome != harness::MetgOutcome::kFound
                          ? fmt::format("{}, {}", cells.front(), cells.back())
                          : cells.back()}};
    if (curve.outcome == harness::MetgOutcome::kFound && curve.ns) {
      bar["value"] = *curve.ns;
      if (curve.low && curve.high) {
        bar["low"] = *curve.low;
        bar["high"] = *curve.high;
      }
    }
    bars.push_back(std::move(bar));
    cells.insert(cells.begin(), name);
    section.table.rows.push_back(std::move(cells));
  }
  return SectionJson(section, {{"kind", "bars"},
                               {"value", AxisJson("granularity", "ns", registry::Better::kLower)},
                               {"interval", "95 % interval"},
                               {"bars", std::move(bars)}});
}

Json EfficiencySection(const MetgResult& result, std::size_t workload) {
  const std::size_t count = result.plan.alternatives.size();
  PageSection section{
      .title = "Efficiency by grain under " + result.plan.workloads[workload].name,
      .about =
          "The share of a worker's time for a task that is work, by the work of a task: near the "
          "result, or of the search where nothing was measured there.",
      .table = {
          .columns = {
              {"alternative", false}, {"grain"}, {"efficiency"}, {"95 % interval"}, {"blocks"}}}};
  Json lines = Json::array();
  std::uint64_t least = result.plan.grains.back();
  std::uint64_t most = result.plan.grains.front();
  for (std::size_t i = 0; i < count; ++i) {
    Json points = Json::array();
    const std::string& name = result.plan.alternatives[i].name;
    for (const auto& [grain_ns, efficiency, blocks] : PointsOf(result, workload * count + i)) {
      const auto grain = static_cast<double>(grain_ns);
      // The range of two or three blocks is no interval.
      points.push_back(efficiency.is_interval
                           ? PointJson(grain, efficiency)
                           : Json::array({grain, JsonNumber(efficiency.median)}));
      section.table.rows.push_back(
          {name, Duration(grain, kPageStyle), Percent(efficiency.median),
           efficiency.is_interval
               ? fmt::format("{} to {}", Percent(efficiency.low), Percent(efficiency.high))
               : "",
           std::to_string(blocks)});
      least = std::min(least, grain_ns);
      most = std::max(most, grain_ns);
    }
    if (!points.empty()) {  // a line without points would be in the legend alone
      lines.push_back({{"name", name}, {"points", std::move(points)}});
    }
  }
  return SectionJson(
      section,
      {{"kind", "curve"},
       {"x", AxisJson("grain: work of a task", "ns")},
       {"value", AxisJson("efficiency", "share", registry::Better::kHigher)},
       {"lines", std::move(lines)},
       {"fits",
        Json::array(
            {{{"name", Percent(result.plan.efficiency)},
              {"points", {{least, result.plan.efficiency}, {most, result.plan.efficiency}}}}})}});
}

}  // namespace

std::string RenderHtml(const MetgResult& result) {
  PageHead head{.title = fmt::format("METG({})", Percent(result.plan.efficiency)),
                .facts = {},
                .notes = NotesOfLines(MetgEndingLines(result, kPageStyle) +
                                      MetgFailureLines(result, kPageStyle))};
  for (std::size_t i = 0; i < result.plan.workloads.size(); ++i) {
    head.title += (i == 0 ? " of " : ", ") + result.plan.workloads[i].name;
  }
  std::ranges::move(NotesOn(result), std::back_inserter(head.notes));
  Json sections = Json::array();
  for (std::size_t i = 0; i < result.plan.workloads.size(); ++i) {
    sections.push_back(ResultSection(result, i));
    sections.push_back(EfficiencySection(result, i));
  }
  return ChartPageText(head, result.machine, result.command, result.plan.seed, std::move(sections));
}

}  // namespace schedbench::report
