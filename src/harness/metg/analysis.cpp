#include "base/random_choice.hpp"
#include "base/vector_of.hpp"
#include "harness/compare/block_value.hpp"
#include "harness/metg/metg.hpp"
#include "stats/change.hpp"
#include "stats/order_statistics.hpp"
#include "stats/suspicion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace schedbench::harness {

namespace {

constexpr std::size_t kMetgResamples = 5000;

// Grains near the result with their efficiencies by block, in ascending order of grains.
struct FinePoint {
  double grain_ns;
  std::vector<double> efficiencies;
};

struct Crossing {
  double ns;
  bool is_below = false;  // all points reach the efficiency: the result is at most this
  bool is_above = false;  // no point reaches it: the result is at least this
};

double GranularityOf(double grain_ns, double efficiency) {
  return grain_ns / std::max(efficiency, 1e-9);
}

// Returns the first crossing of the blocks' medians, linear in the log of the granularity.
Crossing CrossingOf(const std::vector<FinePoint>& points, const std::vector<std::size_t>& blocks,
                    double target) {
  std::vector<double> values(blocks.size());
  double before = 0;
  double granularity_before = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::ranges::transform(blocks, values.begin(),
                           [&](std::size_t block) { return points[i].efficiencies[block]; });
    const double efficiency = stats::Median(values);
    const double granularity = GranularityOf(points[i].grain_ns, efficiency);
    if (efficiency >= target) {
      if (i == 0) {
        return {.ns = granularity, .is_below = true};
      }
      const double share = (target - before) / (efficiency - before);
      return {.ns = std::exp(std::log(granularity_before) +
                             share * (std::log(granularity) - std::log(granularity_before)))};
    }
    before = efficiency;
    granularity_before = granularity;
  }
  return {.ns = granularity_before, .is_above = true};
}

// Returns the level of each ratio, so that all hold at once with kJointLevel.
double LevelOfRatios(const MetgPlan& plan) {
  const std::size_t ratios = plan.workloads.size() * (plan.alternatives.size() - 1);
  return stats::LevelOfEach(kJointLevel, std::max<std::size_t>(ratios, 1));
}

std::size_t BlocksOf(const std::vector<FinePoint>& points) {
  std::size_t blocks = points.empty() ? 0 : points.front().efficiencies.size();
  for (const FinePoint& point : points) {
    blocks = std::min(blocks, point.efficiencies.size());
  }
  return blocks;
}

const registry::Metric* EfficiencyMetricOf(const registry::WorkloadEntry& workload) {
  const auto found =
      std::ranges::find(workload.metrics, kEfficiencyMetric, &registry::Metric::name);
  return found == workload.metrics.end() ? nullptr : &*found;
}

class MetgAnalyst {
 public:
  MetgAnalyst(const MetgPlan& plan, const MetgData& data)
      : plan_(plan),
        data_(data),
        fine_(data.curves.size()) {
  }

  std::vector<MetgCurve> Draw() {
    for (std::size_t curve = 0; curve < data_.curves.size(); ++curve) {
      curves_.push_back(OutcomeOf(curve));
    }
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      Resample(workload);
    }
    return std::move(curves_);
  }

 private:
  MetgCurve OutcomeOf(std::size_t curve) {
    const std::vector<MetgPoint>& points = data_.curves[curve];
    if (std::string failure = FailureOf(points); !failure.empty()) {
      return {.outcome = MetgOutcome::kFailed, .failure = std::move(failure)};
    }
    for (const MetgPoint& point : points) {
      if (point.fine) {
        FinePoint fine{.grain_ns = static_cast<double>(point.grain_ns), .efficiencies = {}};
        for (const auto& value : EfficienciesOf(plan_, point)) {
          fine.efficiencies.push_back(value.value_or(0));
        }
        fine_[curve].push_back(std::move(fine));
      }
    }
    const std::size_t blocks = BlocksOf(fine_[curve]);
    if (blocks > 0) {
      const Crossing crossing = CrossingOf(fine_[curve], Indices(blocks), plan_.efficiency);
      return {.outcome = crossing.is_below || crossing.is_above ? MetgOutcome::kUnclear
                                                                : MetgOutcome::kFound,
              .ns = crossing.ns,
              .low_is_open = crossing.is_below,
              .high_is_open = crossing.is_above,
              .blocks = blocks};
    }
    return OfSearch(points);
  }

  MetgCurve OfSearch(const std::vector<MetgPoint>& points) const {
    const auto last = points.empty() ? std::nullopt : EfficiencyOf(plan_, points.back());
    if (!last || points.back().fine) {
      return {.outcome = MetgOutcome::kUnclear};
    }
    const double granularity =
        GranularityOf(static_cast<double>(points.back().grain_ns), last->median);
    const bool reached = last->median >= plan_.efficiency;
    if (reached && points.size() == 1) {
      return {.outcome = MetgOutcome::kBelowSmallest, .ns = granularity};
    }
    if (!reached && points.back().grain_ns == plan_.grains.back()) {
      return {.outcome = MetgOutcome::kNotReached, .ns = granularity};
    }
    return {.outcome = MetgOutcome::kUnclear};
  }

  std::string FailureOf(const std::vector<MetgPoint>& points) const {
    for (const MetgPoint& point : points) {
      if (!point.series.failure.empty()) {
        return fmt::format("{}={}: {}", kGrainParameter, point.grain_ns, point.series.failure);
      }
      for (const auto& value : EfficienciesOf(plan_, point)) {
        if (!value) {
          return fmt::format("the agent reports no {}", kEfficiencyMetric);
        }
      }
    }
    return "";
  }

  // Computes intervals and ratios of the curves of a workload. All curves draw equal blocks,
  // because a disturbance of a block affects all of them.
  void Resample(std::size_t workload) {
    const std::size_t first = workload * plan_.alternatives.size();
    std::vector<std::size_t> found;
    std::size_t blocks = plan_.blocks;
    for (std::size_t i = first; i < first + plan_.alternatives.size(); ++i) {
      if (curves_[i].outcome == MetgOutcome::kFound) {
        found.push_back(i);
        blocks = std::min(blocks, curves_[i].blocks);
      }
    }
    if (found.empty() || blocks < BlocksForIntervals()) {
      return;
    }
    std::vector<std::vector<Crossing>> drawn(found.size());
    RandomChoice random(plan_.seed);
    std::vector<std::size_t> sample(blocks);
    for (std::size_t i = 0; i < kMetgResamples; ++i) {
      std::ranges::generate(sample,
                            [&] { return random.Below(static_cast<std::uint32_t>(blocks)); });
      for (std::size_t j = 0; j < found.size(); ++j) {
        drawn[j].push_back(CrossingOf(fine_[found[j]], sample, plan_.efficiency));
      }
    }
    const std::vector<double> of_first = BlockByBlock(found.front(), blocks);
    for (std::size_t j = 0; j < found.size(); ++j) {
      std::vector<double> of_blocks = BlockByBlock(found[j], blocks);
      SetInterval(curves_[found[j]], drawn[j], of_blocks);
      if (found.front() == first && j > 0 && blocks >= BlocksForRatios(plan_)) {
        std::ranges::transform(of_blocks, of_first, of_blocks.begin(), std::minus<>());
        SetRatio(curves_[found[j]], drawn[j], curves_[first], drawn.front(),
                 WideningFor(of_blocks));
      }
    }
  }

  // Returns the logarithm of the crossing of each single block.
  std::vector<double> BlockByBlock(std::size_t curve, std::size_t blocks) const {
    return VectorOf(Indices(blocks), [&](std::size_t block) {
      return std::log(CrossingOf(fine_[curve], {block}, plan_.efficiency).ns);
    });
  }

  // Returns how much an interval must widen, as in MedianConfidenceInterval(), because blocks
  // resemble their neighbours, which the bootstrap ignores.
  static double WideningFor(const std::vector<double>& of_blocks) {
    const double dependence = stats::Dependence(of_blocks);
    return std::sqrt((1 + dependence) / (1 - dependence));
  }

  static void SetInterval(MetgCurve& curve, const std::vector<Crossing>& drawn,
                          const std::vector<double>& of_blocks) {
    std::vector<double> values;
    double below = 0;
    double above = 0;
    for (const Crossing& one : drawn) {
      values.push_back(one.ns);
      below += one.is_below ? 1 : 0;
      above += one.is_above ? 1 : 0;
    }
    constexpr double kTail = (1 - kJointLevel) / 2;
    const auto count = static_cast<double>(drawn.size());
    curve.low = std::min(*curve.ns, stats::Quantile(values, kTail));
    curve.high = std::max(*curve.ns, stats::Quantile(values, 1 - kTail));
    const double wider = WideningFor(of_blocks);
    curve.low = *curve.ns * std::pow(*curve.low / *curve.ns, wider);
    curve.high = *curve.ns * std::pow(*curve.high / *curve.ns, wider);
    curve.low_is_open = below / count >= kTail;
    curve.high_is_open = above / count >= kTail;
  }

  void SetRatio(MetgCurve& curve, const std::vector<Crossing>& drawn, const MetgCurve& first,
                const std::vector<Crossing>& of_first, double wider) const {
    std::vector<double> ratios;
    double at_most = 0;
    double at_least = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      ratios.push_back(drawn[i].ns / of_first[i].ns);
      at_most += drawn[i].is_below || of_first[i].is_above ? 1 : 0;
      at_least += drawn[i].is_above || of_first[i].is_below ? 1 : 0;
    }
    const double tail = (1 - LevelOfRatios(plan_)) / 2;
    const double ratio = *curve.ns / *first.ns;
    // An end at the last grain may be farther away. The tail is smaller than in both intervals.
    const auto count = static_cast<double>(drawn.size());
    const bool low_is_open = at_most / count >= tail;
    const bool high_is_open = at_least / count >= tail;
    const auto end = [&](double quantile) {
      return ratio * std::pow(stats::Quantile(ratios, quantile) / ratio, wider);
    };
    curve.ratio = {.ratio = ratio,
                   .low = std::min(ratio, end(tail)),
                   .high = std::max(ratio, end(1 - tail)),
                   .stops_short = low_is_open || high_is_open};
    constexpr double kFar = 1e9;
    stats::RatioEstimate judged = *curve.ratio;
    judged.low = low_is_open ? 1 / kFar : judged.low;
    judged.high = high_is_open ? kFar : judged.high;
    curve.verdict = ToVerdict(stats::Judge(judged, plan_.min_effect), registry::Better::kLower);
  }

  const MetgPlan& plan_;
  const MetgData& data_;
  std::vector<std::vector<FinePoint>> fine_;  // [curve]
  std::vector<MetgCurve> curves_;
};

}  // namespace

std::size_t BlocksForIntervals() {
  return stats::SmallestSampleWithInterval(kJointLevel);
}

std::size_t BlocksForRatios(const MetgPlan& plan) {
  return stats::SmallestSampleWithInterval(LevelOfRatios(plan));
}

std::vector<std::optional<double>> EfficienciesOf(const MetgPlan& plan, const MetgPoint& point) {
  const registry::Metric* const metric = EfficiencyMetricOf(*plan.workloads.front().entry);
  return metric == nullptr ? BlockValues(point.series.blocks.size())
                           : ValuesByBlock(point.series, *metric);
}

std::optional<Spread> EfficiencyOf(const MetgPlan& plan, const MetgPoint& point) {
  const BlockValues all = EfficienciesOf(plan, point);
  const std::vector<double> present = Present(all);
  return present.empty() || present.size() < all.size() ? std::nullopt
                                                        : std::optional(SpreadOf(present));
}

std::vector<MetgCurve> AnalyseMetg(const MetgPlan& plan, const MetgData& data) {
  return MetgAnalyst(plan, data).Draw();
}

}  // namespace schedbench::harness
