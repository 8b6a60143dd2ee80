// The minimum effective task granularity of schedulers whose overhead is made up, so that the right
// answer is known.
#include "harness/metg/metg.hpp"

#include "base/random.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::harness::metg_test {

namespace {

constexpr std::array kMetrics{
    registry::Metric{"efficiency", "share", registry::Better::kHigher, ""}};
const registry::WorkloadEntry kTasks{.name = "tasks",
                                     .doc = "",
                                     .operation = "task",
                                     .schema = nullptr,
                                     .make = nullptr,
                                     .metrics = kMetrics};

// The efficiency at a grain; negative for a failure.
using Efficiency = std::function<double(double grain)>;

Efficiency WithOverhead(double ns) {
  return [ns](double grain) { return grain / (grain + ns); };
}

MetgPlan PlanWith(std::size_t alternatives) {
  MetgPlan plan;
  for (std::size_t i = 0; i < alternatives; ++i) {
    plan.alternatives.push_back({.name = std::to_string(i), .command = {}, .scheduler = ""});
  }
  plan.workloads = {{.entry = &kTasks}};
  plan.grains = {16, 64, 256, 1024, 4096};
  plan.seed = 1;
  return plan;
}

// `noise`: the standard deviation of the logarithm of the efficiency of a block.
MetgData Measured(const MetgPlan& plan, const std::vector<Efficiency>& efficiencies, double noise,
                  std::uint64_t seed = 1, const std::function<bool()>& cancelled = nullptr) {
  std::uint64_t number = 0;
  return SampleMetg(
      plan, {.progress = [](auto, const ExperimentProgress&) {},
             .cancelled = cancelled != nullptr ? cancelled : std::function([] { return false; }),
             .measure_block =
                 [&](const BlockPlan& block, const BlockEvents& events) {
                   const double grain =
                       nlohmann::json::parse(block.group.workload.parameters)["grain_ns"];
                   const std::size_t which = std::stoul(block.group.alternatives.front().name);
                   std::mt19937_64 random(DeriveSeed(seed, ++number));
                   const double value =
                       efficiencies[which](grain) *
                       std::exp(noise * std::normal_distribution<double>()(random));
                   BlockData data;
                   Series& series = data.series.emplace_back();
                   if (value < 0) {
                     series.failure = "wrong answer";
                   } else {
                     series.blocks.push_back({{.metrics = {{"efficiency", value}}}});
                   }
                   if (events.cancelled()) {
                     data.ending = BlockData::Ending::kCancelled;
                   }
                   return data;
                 }});
}

TEST(Metg, IsTwiceTheOverheadAndItsIntervalHoldsIt) {
  const MetgPlan plan = PlanWith(2);
  int inside = 0;
  int ratio_inside = 0;
  constexpr int kRuns = 20;
  for (int seed = 1; seed <= kRuns; ++seed) {
    const MetgData data =
        Measured(plan, {WithOverhead(150), WithOverhead(600)}, 0.05, static_cast<unsigned>(seed));
    const std::vector<MetgCurve> curves = AnalyseMetg(plan, data);
    ASSERT_EQ(curves[0].outcome, MetgOutcome::kFound);
    ASSERT_EQ(curves[1].outcome, MetgOutcome::kFound);
    EXPECT_NEAR(*curves[0].ns, 300, 30);
    EXPECT_EQ(curves[1].verdict, Verdict::kWorse);
    inside += *curves[0].low <= 300 && 300 <= *curves[0].high ? 1 : 0;
    ratio_inside += curves[1].ratio->low <= 4 && 4 <= curves[1].ratio->high ? 1 : 0;
  }
  EXPECT_GE(inside, 16);  // of 20 with 95 %
  EXPECT_GE(ratio_inside, 16);
}

TEST(Metg, MovesItsGrainsAfterASearchThatSomethingDisturbed) {
  const MetgPlan plan = PlanWith(1);
  int calls = 0;
  const MetgData data = Measured(plan, {[&calls](double grain) {
                                   // While it searches, another program takes three quarters of the
                                   // time.
                                   return WithOverhead(150)(grain) * (++calls <= 8 ? 0.25 : 1);
                                 }},
                                 0.01);
  const MetgCurve curve = AnalyseMetg(plan, data).front();
  EXPECT_EQ(curve.outcome, MetgOutcome::kFound);
  EXPECT_NEAR(*curve.ns, 300, 10);
}

TEST(Metg, IsNotInventedWhereTheGrainsDoNotEncloseIt) {
  const MetgPlan plan = PlanWith(4);
  const auto constant = [](double efficiency) {
    return [efficiency](double) { return efficiency; };
  };
  const MetgData data =
      Measured(plan, {constant(0.9), constant(0.4), constant(-1), WithOverhead(150)}, 0);
  const std::vector<MetgCurve> curves = AnalyseMetg(plan, data);
  EXPECT_EQ(curves[0].outcome, MetgOutcome::kBelowSmallest);
  EXPECT_NEAR(*curves[0].ns, 16 / 0.9, 1e-9);
  EXPECT_EQ(curves[1].outcome, MetgOutcome::kNotReached);
  EXPECT_NEAR(*curves[1].ns, 4096 / 0.4, 1e-9);
  EXPECT_EQ(curves[2].outcome, MetgOutcome::kFailed);
  EXPECT_EQ(curves[2].failure, "grain_ns=16: wrong answer");
  EXPECT_EQ(curves[3].outcome, MetgOutcome::kFound);
  EXPECT_FALSE(curves[3].ratio) << "the first has no result";
}

TEST(Metg, HasNoRatiosOfBlocksTooFewForAllOfThemAtOnce) {
  for (const auto& [alternatives, needed] : {std::pair<std::size_t, std::size_t>{2, 6}, {3, 7}}) {
    MetgPlan plan = PlanWith(alternatives);
    EXPECT_EQ(BlocksForRatios(plan), needed);
    for (plan.blocks = 6; plan.blocks <= 7; ++plan.blocks) {
      const MetgData data =
          Measured(plan, {WithOverhead(150), WithOverhead(600), WithOverhead(150)}, 0.01);
      const MetgCurve curve = AnalyseMetg(plan, data)[1];
      EXPECT_TRUE(curve.low) << "an interval needs 6 blocks";
      EXPECT_EQ(curve.ratio.has_value(), plan.blocks >= needed);
      EXPECT_EQ(curve.verdict.has_value(), plan.blocks >= needed);
    }
  }
}

// A grain near the result in 20 blocks, of which every third of the first 18 has the efficiency
// `of_some`.
MetgPoint FinePointOf(std::uint64_t grain, double efficiency, double of_some) {
  MetgPoint point{.grain_ns = grain, .fine = true, .series = {}};
  for (int block = 0; block < 20; ++block) {
    point.series.blocks.push_back(
        {{.metrics = {{"efficiency", block % 3 == 0 && block < 18 ? of_some : efficiency}}}});
  }
  return point;
}

TEST(Metg, OfGrainsOnOneSideIsABound) {
  MetgData data;
  data.curves = {{FinePointOf(100, 0.6, 0.6), FinePointOf(200, 0.8, 0.8)},
                 {FinePointOf(100, 0.2, 0.2), FinePointOf(200, 0.4, 0.4)}};
  const std::vector<MetgCurve> curves = AnalyseMetg(PlanWith(2), data);
  for (const MetgCurve& curve : curves) {
    EXPECT_EQ(curve.outcome, MetgOutcome::kUnclear);
    EXPECT_FALSE(curve.low || curve.high || curve.ratio);
    EXPECT_NE(curve.low_is_open, curve.high_is_open);
  }
  EXPECT_TRUE(curves[0].low_is_open);
  EXPECT_NEAR(*curves[0].ns, 100 / 0.6, 1e-9);
  EXPECT_TRUE(curves[1].high_is_open);
  EXPECT_NEAR(*curves[1].ns, 200 / 0.4, 1e-9);
}

// At 1000 ns, 6 of 20 blocks reach the efficiency: so do 1.7 % of the medians that the bootstrap
// draws.
TEST(Metg, ProvesNoRatioWhoseEndIsOpenInTheTailOfAllRatios) {
  MetgPlan plan = PlanWith(2);
  MetgData data;
  data.curves = {{FinePointOf(100, 0.4, 0.4), FinePointOf(200, 0.6, 0.6)},
                 {FinePointOf(1000, 0.45, 0.51), FinePointOf(8000, 0.7, 0.7)}};
  EXPECT_EQ(AnalyseMetg(plan, data)[1].verdict, Verdict::kWorse);
  plan = PlanWith(4);
  data.curves.resize(4, data.curves.front());
  const MetgCurve curve = AnalyseMetg(plan, data)[1];
  EXPECT_FALSE(curve.low_is_open) << "2.5 % is the tail of the result alone";
  EXPECT_TRUE(curve.ratio->stops_short);
  EXPECT_EQ(curve.verdict, Verdict::kInconclusive);
}

TEST(Metg, OfAnInterruptedMeasurementHasWhatWasFinished) {
  const MetgPlan plan = PlanWith(1);
  int left = 8 + 15 + 40;  // the search, a probe, eight blocks
  const MetgData data =
      Measured(plan, {WithOverhead(150)}, 0.01, 1, [&left] { return left-- == 0; });
  EXPECT_FALSE(data.complete);
  const MetgCurve curve = AnalyseMetg(plan, data).front();
  EXPECT_EQ(curve.outcome, MetgOutcome::kFound);
  EXPECT_LT(curve.blocks, plan.blocks);
}

}  // namespace

}  // namespace schedbench::harness::metg_test
