#include "report/parts/chart_page.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/core.h>

#include <utility>

namespace schedbench::report {

namespace {

using harness::ScaleCurve;
using harness::ScalePoint;

Json CurveLine(const SweepResult& result, std::size_t index) {
  Json points = Json::array();
  for (const ScalePoint& point : result.curves[index].points) {
    if (const auto& spread = result.analysis.cells[point.cell].spread) {
      points.push_back(PointJson(point.workers, *spread));
    }
  }
  return {{"name", result.plan.keys[harness::kSchedulerOfScale].values[index]},
          {"points", std::move(points)}};
}

// The law as points that are close enough for a smooth line.
template <typename Fit>
Json LawLine(std::string_view name, const Fit& fit, double first, double last) {
  constexpr int kSteps = 60;
  Json points = Json::array();
  for (int i = 0; i <= kSteps; ++i) {
    const double workers = first + (last - first) * i / kSteps;
    points.push_back({workers, stats::Predicted(fit, workers)});
  }
  return {{"name", name}, {"points", std::move(points)}};
}

Json CurveChart(const SweepResult& result, Json lines) {
  Json chart{{"kind", "curve"},
             {"x", AxisJson("workers", "")},
             {"value", AxisOfCells(result.plan)},
             {"lines", std::move(lines)}};
  const std::uint32_t cpus = result.machine.cpus_allowed;
  const bool passes = std::ranges::any_of(result.curves, [](const ScaleCurve& curve) {
    return curve.points.back().oversubscribed;
  });
  if (passes) {
    chart["border"] = {{"x", cpus}, {"name", fmt::format("{} CPUs", cpus)}};
  }
  return chart;
}

Json CurveSection(const SweepResult& result, std::size_t index) {
  const ScaleCurve& curve = result.curves[index];
  PageSection section{
      .title = "Scaling of " + result.plan.keys[harness::kSchedulerOfScale].values[index],
      .about = "Medians of the blocks with their intervals, and the laws that fit them.",
      .sentences = Sentences(LawLines(curve)),
      .table = {.columns = {{"workers"},
                            {"throughput"},
                            {"spread"},
                            {"speed-up"},
                            {"efficiency"},
                            {"remarks", false}}}};
  for (const ScalePoint& point : curve.points) {
    section.table.rows.push_back(CurveCells(result, curve, point, kPageStyle));
  }
  Json chart = CurveChart(result, Json::array({CurveLine(result, index)}));
  const double first = curve.points.front().workers;
  const double last = curve.points.back().workers;
  chart["connected"] = false;
  chart["fits"] = Json::array();
  if (curve.fits.amdahl) {
    chart["fits"].push_back(LawLine("Amdahl's law", *curve.fits.amdahl, first, last));
  }
  if (curve.fits.universal) {
    chart["fits"].push_back(
        LawLine("universal scalability law", *curve.fits.universal, first, last));
  }
  if (const auto& spread = result.analysis.cells[curve.points.front().cell].spread) {
    chart["ideal"] = {{"name", "ideal: proportional to the workers"},
                      {"points", {{first, spread->median}, {last, spread->median * last / first}}}};
  }
  return SectionJson(section, chart);
}

}  // namespace

Json ScaleSections(const SweepResult& result) {
  Json sections = Json::array();
  if (result.curves.size() > 1) {
    Json lines = ArrayOf(result.curves.size(), [&result](std::size_t i) {
      return CurveLine(result, i);
    });
    sections.push_back(SectionJson({.title = "Throughput of all schedulers",
                                    .about = "Medians of the blocks with their intervals."},
                                   CurveChart(result, std::move(lines))));
  }
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    sections.push_back(CurveSection(result, i));
  }
  return sections;
}

}  // namespace schedbench::report
