#include "harness/sweep/scale.hpp"

#include "base/vector_of.hpp"

#include <algorithm>

namespace schedbench::harness {

namespace {

class Curve {
 public:
  Curve(const SweepPlan& plan, const ExperimentData& data, const SweepAnalysis& analysis)
      : plan_(plan),
        data_(data),
        analysis_(analysis),
        values_(ValuesWithoutPlaces(plan, data, analysis.places)) {
  }

  ScaleCurve Of(std::size_t scheduler, std::uint32_t cpus) {
    ScaleCurve curve;
    for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
      const SweepCell& one = plan_.cells[cell];
      if (one.place[kSchedulerOfScale] == scheduler) {
        const std::uint32_t workers = one.workers.value_or(1);
        curve.points.push_back(
            {.cell = cell, .workers = workers, .oversubscribed = workers > cpus});
      }
    }
    std::ranges::sort(curve.points, {}, &ScalePoint::workers);
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      Compare(curve, i);
    }
    Fit(curve);
    return curve;
  }

 private:
  bool Has(const ScalePoint& point) const {
    return analysis_.cells[point.cell].spread.has_value();
  }

  void Compare(ScaleCurve& curve, std::size_t at) const {
    ScalePoint& point = curve.points[at];
    const ScalePoint& first = curve.points.front();
    if (!Has(point)) {
      return;
    }
    if (Has(first)) {
      point.speedup = Mapped(Compared(plan_, data_, point.cell, first.cell), &CellRatio::estimate);
      point.point =
          analysis_.cells[point.cell].spread->median / analysis_.cells[first.cell].spread->median;
    }
    for (std::size_t i = 0; i < at && !point.slower_than; ++i) {
      const auto ratio = Has(curve.points[i])
                             ? Compared(plan_, data_, point.cell, curve.points[i].cell)
                             : std::nullopt;
      if (ratio && ratio->verdict == Verdict::kWorse && !ratio->estimate.stops_short) {
        point.slower_than = curve.points[i].cell;
      }
    }
  }

  void Fit(ScaleCurve& curve) const {
    std::vector<stats::ScalingPoint> points;
    std::size_t blocks = plan_.blocks;
    for (const ScalePoint& point : curve.points) {
      if (!Has(point) || point.oversubscribed) {
        continue;
      }
      stats::ScalingPoint fitted{.workers = static_cast<double>(point.workers), .throughput = {}};
      for (const auto& value : values_[point.cell]) {
        fitted.throughput.push_back(std::max(value.value_or(0), 1e-300));
      }
      blocks = std::min(blocks, fitted.throughput.size());
      points.push_back(std::move(fitted));
    }
    for (stats::ScalingPoint& point : points) {
      point.throughput.resize(blocks);
    }
    curve.fitted = points.size();
    if (!points.empty() && blocks > 0) {
      curve.fits = stats::FitScaling(points, kJointLevel, plan_.seed);
    }
  }

  const SweepPlan& plan_;
  const ExperimentData& data_;
  const SweepAnalysis& analysis_;
  const std::vector<std::vector<std::optional<double>>> values_;  // [cell][block]
};

}  // namespace

std::vector<ScaleCurve> ScaleCurves(const SweepPlan& plan, const ExperimentData& data,
                                    const SweepAnalysis& analysis, std::uint32_t cpus) {
  std::vector<ScaleCurve> curves;
  Curve curve(plan, data, analysis);
  for (std::size_t i = 0; i < plan.keys[kSchedulerOfScale].values.size(); ++i) {
    curves.push_back(curve.Of(i, cpus));
  }
  return curves;
}

}  // namespace schedbench::harness
