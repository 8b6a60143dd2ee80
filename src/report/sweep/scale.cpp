#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "report/parts/chart_page.hpp"
#include "report/parts/plan_text.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace schedbench::report {

namespace {

using harness::ScaleCurve;
using harness::ScalePoint;

std::string Marks(const SweepResult& result, const ScaleCurve& curve, const ScalePoint& point) {
  std::string marks = result.analysis.cells[point.cell].missing;
  const auto add = [&marks](const std::string& text) {
    marks += (marks.empty() ? "" : "; ") + text;
  };
  if (point.slower_than) {
    const auto fewer = std::ranges::find(curve.points, *point.slower_than, &ScalePoint::cell);
    add(fmt::format("slower than {}", fewer->workers));
  }
  if (point.oversubscribed) {
    add("oversubscribed");
  }
  return marks;
}

std::string WithHalfWidth(double value, const std::optional<stats::RatioEstimate>& estimate,
                          const TerminalStyle& style) {
  return fmt::format(
      "{:.2f} {}", value,
      estimate ? PlusMinus(estimate->low, estimate->ratio, estimate->high, style) : "");
}

std::string Parameter(const stats::FittedParameter& parameter) {
  return fmt::format("{} ({} to {})", Percent(parameter.value), Percent(parameter.low),
                     Percent(parameter.high));
}

std::vector<Sentence> LawsOf(const ScaleCurve& curve) {
  std::vector<Sentence> laws;
  if (!curve.fits.amdahl) {
    return {{fmt::format("Amdahl's law: not determined by {} of workers up to the CPUs",
                         Plural(curve.fitted, "number"))}};
  }
  const stats::AmdahlFit& amdahl = *curve.fits.amdahl;
  const double serial = amdahl.serial_share.value;
  if (serial >= 1) {
    // The law does not have a curve below the throughput of one worker. A share at its limit, and
    // an interval there, would claim certainty.
    const double low = amdahl.serial_share.low;
    laws.push_back({fmt::format(
        "Amdahl's law: does not fit, throughput does not grow{}",
        low > 0 && low < 1 ? fmt::format("; a serial share of at least {}", Percent(low)) : "")});
  } else {
    laws.push_back({fmt::format(
        "Amdahl's law: serial share {}: {}{}", Parameter(amdahl.serial_share),
        serial > 0 ? fmt::format("at most {:.3g} times the first", 1 / serial) : "no limit",
        curve.fitted > 2 ? fmt::format("; deviation {}", Percent(amdahl.error)) : "")});
  }
  if (!curve.fits.universal) {
    laws.push_back({fmt::format(
        "Universal scalability law: not determined by {} numbers of workers up to the CPUs",
        curve.fitted)});
    return laws;
  }
  const stats::UniversalFit& universal = *curve.fits.universal;
  laws.push_back({fmt::format(
      "Universal scalability law: sigma {}, kappa {}{}{}", Parameter(universal.sigma),
      Parameter(universal.kappa),
      universal.peak ? fmt::format(", peak at {:.3g} workers", *universal.peak) : ", no peak",
      curve.fitted > 3 ? fmt::format("; deviation {}", Percent(universal.error)) : "")});
  return laws;
}

Table CurveTable(const SweepResult& result, const ScaleCurve& curve, const TerminalStyle& style) {
  const auto spread_of = [&result](const ScalePoint& point) -> const auto& {
    return result.analysis.cells[point.cell].spread;
  };
  const auto ratio_of = [&, spread_of](const ScalePoint& point) -> std::optional<double> {
    return point.speedup                                                 ? point.speedup->ratio
           : spread_of(point) && point.cell == curve.points.front().cell ? std::optional(1.0)
                                                                         : point.point;
  };
  TableOf<ScalePoint> table;
  table.Add({"workers", kRight}, &ScalePoint::workers);
  table.Add({"throughput", kRight}, [&](const ScalePoint& point) {
    const auto& spread = spread_of(point);
    return spread ? ValueText(result.plan, point.cell, spread->median, style) : style.Dash();
  });
  table.Add({"spread"}, [&](const ScalePoint& point) -> Cell {
    const auto& spread = spread_of(point);
    return spread ? SpreadText(*spread, style) : "";
  });
  table.Add({"speed-up"}, [&](const ScalePoint& point) -> Cell {
    const auto ratio = ratio_of(point);
    return ratio ? WithHalfWidth(*ratio, point.speedup, style) : "";
  });
  table.Add({"efficiency", kRight}, [&](const ScalePoint& point) -> Cell {
    const auto ratio = ratio_of(point);
    return ratio ? Percent(*ratio * curve.points.front().workers / point.workers) : "";
  });
  table.Add({"remarks"}, [&](const ScalePoint& point) { return Marks(result, curve, point); });
  return std::move(table).Rows(curve.points);
}

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

// Returns the law as points that are close enough for a smooth line.
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
  const bool passes = std::ranges::any_of(
      result.curves, [](const ScaleCurve& curve) { return curve.points.back().oversubscribed; });
  if (passes) {
    chart["border"] = {{"x", cpus}, {"name", fmt::format("{} CPUs", cpus)}};
  }
  return chart;
}

Json ChartOf(const SweepResult& result, std::size_t index) {
  const ScaleCurve& curve = result.curves[index];
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
  return chart;
}

}  // namespace

std::vector<Section> ScaleSections(const SweepResult& result, const TerminalStyle& style) {
  std::vector<Section> sections;
  if (result.curves.size() > 1) {
    Json lines = ArrayOf(Indices(result.curves.size()),
                         [&result](std::size_t i) { return CurveLine(result, i); });
    sections.push_back({.title = "Throughput of all schedulers",
                        .about = "Medians of the blocks with their intervals.",
                        .chart = CurveChart(result, std::move(lines)),
                        .media = kInPage});
  }
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const std::string& name = result.plan.keys[harness::kSchedulerOfScale].values[i];
    sections.push_back(
        {.title = "Scaling of " + config::Escaped(name),
         .about = "Medians of the blocks with their intervals, and the laws that fit them.",
         .table = CurveTable(result, result.curves[i], style),
         .details = LawsOf(result.curves[i]),
         .chart = ChartOf(result, i)});
  }
  return sections;
}

}  // namespace schedbench::report
