#include "config/quote.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/text_table.hpp"
#include "report/sweep/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

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

std::string CurveTable(const SweepResult& result, const ScaleCurve& curve,
                       const TerminalStyle& style) {
  TextTable table{{"workers", kRight}, {"throughput", kRight}, {""},
                  {"speed-up"},        {"efficiency", kRight}, {""}};
  for (const ScalePoint& point : curve.points) {
    table.AddRow(CurveCells(result, curve, point, style));
  }
  return table.Render(style);
}

std::string Parameter(const stats::FittedParameter& parameter) {
  return fmt::format("{} ({} to {})", Percent(parameter.value), Percent(parameter.low),
                     Percent(parameter.high));
}

}  // namespace

std::vector<std::string> CurveCells(const SweepResult& result, const ScaleCurve& curve,
                                    const ScalePoint& point, const TerminalStyle& style) {
  const auto& spread = result.analysis.cells[point.cell].spread;
  const std::optional<double> ratio = point.speedup ? std::optional(point.speedup->ratio)
                                      : spread && point.cell == curve.points.front().cell
                                          ? std::optional(1.0)
                                          : point.point;
  return {fmt::format("{}", point.workers),
          spread ? ValueText(result.plan, point.cell, spread->median, style) : style.Dash(),
          spread ? SpreadText(*spread, style) : "",
          ratio ? WithHalfWidth(*ratio, point.speedup, style) : "",
          ratio ? Percent(*ratio * curve.points.front().workers / point.workers) : "",
          Marks(result, curve, point)};
}

std::string LawLines(const ScaleCurve& curve) {
  std::string text;
  if (!curve.fits.amdahl) {
    return fmt::format("  Amdahl's law: not determined by {} of workers up to the CPUs\n",
                       curve.fitted == 1 ? "1 number" : fmt::format("{} numbers", curve.fitted));
  }
  const stats::AmdahlFit& amdahl = *curve.fits.amdahl;
  const double serial = amdahl.serial_share.value;
  if (serial >= 1) {
    // The law has no curve below the throughput of one worker. A share at its limit, and an
    // interval there, would claim certainty.
    const double low = amdahl.serial_share.low;
    text = fmt::format(
        "  Amdahl's law: does not fit, throughput does not grow{}\n",
        low > 0 && low < 1 ? fmt::format("; a serial share of at least {}", Percent(low)) : "");
  } else {
    text = fmt::format(
        "  Amdahl's law: serial share {}: {}{}\n", Parameter(amdahl.serial_share),
        serial > 0 ? fmt::format("at most {:.3g} times the first", 1 / serial) : "no limit",
        curve.fitted > 2 ? fmt::format("; deviation {}", Percent(amdahl.error)) : "");
  }
  if (!curve.fits.universal) {
    return text + fmt::format(
                      "  Universal scalability law: not determined by {} numbers of "
                      "workers up to the CPUs\n",
                      curve.fitted);
  }
  const stats::UniversalFit& universal = *curve.fits.universal;
  text += fmt::format(
      "  Universal scalability law: sigma {}, kappa {}{}{}\n", Parameter(universal.sigma),
      Parameter(universal.kappa),
      universal.peak ? fmt::format(", peak at {:.3g} workers", *universal.peak) : ", no peak",
      curve.fitted > 3 ? fmt::format("; deviation {}", Percent(universal.error)) : "");
  return text;
}

std::string ScaleTables(const SweepResult& result, const TerminalStyle& style) {
  std::string text;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    const std::string& name = result.plan.keys[harness::kSchedulerOfScale].values[i];
    text += fmt::format("\n{}\n", style.Bold(config::Escaped(name))) +
            CurveTable(result, result.curves[i], style) + LawLines(result.curves[i]);
  }
  return text;
}

}  // namespace schedbench::report
