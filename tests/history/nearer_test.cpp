#include "history/nearer.hpp"

#include "history/program.hpp"
#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace schedbench::history::tests {

namespace {

// Measures alternatives whose names are their wall times in microseconds.
class FakeSampler {
 public:
  FakeSampler(double noise, std::uint64_t seed)
      : noise_(noise),
        random_(seed) {
  }

  harness::ExperimentData operator()(const harness::ComparisonPlan& plan) {
    harness::ExperimentData data{.series = {{}}, .complete = !cancelled};
    for (const harness::Alternative& alternative : plan.alternatives) {
      harness::Series& series = data.series.front().emplace_back();
      if (alternative.name == broken) {
        series.failure = "it does not answer";
        series.blocks.resize(plan.blocks);
        continue;
      }
      for (const double error : stats::DriftingSample(plan.blocks, 0, random_)) {
        const double us = std::stod(alternative.name) * std::exp(noise_ * error);
        series.blocks.push_back({{.wall_ns = static_cast<std::uint64_t>(1000 * us),
                                  .cpu_ns = 1,
                                  .operations = 100,
                                  .peak_rss_bytes = 1}});
      }
    }
    blocks += plan.blocks;
    return data;
  }

  std::string broken = "";
  bool cancelled = false;
  std::size_t blocks = 0;

 private:
  const double noise_;
  std::mt19937_64 random_;
};

constexpr registry::Metric kThroughput{"throughput", "ops/s", registry::Better::kHigher, ""};

harness::Alternative Named(const std::string& name) {
  return {.name = name, .command = {}, .scheduler = ""};
}

NearerPlan PlanOf(const std::string& good, const std::string& bad, std::size_t blocks = 40) {
  NearerPlan plan{.base = {}, .metric = &kThroughput, .most_blocks = blocks, .min_effect = 0.02};
  plan.base.alternatives = {Named(good), Named(bad)};
  plan.base.workloads.resize(1);
  return plan;
}

NearerJudge JudgeOf(FakeSampler& sampler, const NearerPlan& plan) {
  return {plan, [&sampler](const harness::ComparisonPlan& part) { return sampler(part); }};
}

TEST(NearerJudge, ProvesADifferenceAndItsAbsence) {
  FakeSampler sampler(0.01, 1);
  NearerJudge differ = JudgeOf(sampler, PlanOf("1000", "1100"));
  EXPECT_EQ(differ.Prove(), NearerJudge::Proof::kDiffer);
  EXPECT_NEAR(differ.Difference()->ratio, 1000.0 / 1100, 0.02);
  EXPECT_EQ(JudgeOf(sampler, PlanOf("1000", "1000")).Prove(), NearerJudge::Proof::kSame);
  FakeSampler noisy(0.5, 1);
  EXPECT_EQ(JudgeOf(noisy, PlanOf("1000", "1030")).Prove(), NearerJudge::Proof::kInconclusive);
  EXPECT_EQ(noisy.blocks, 40U);
}

TEST(NearerJudge, FindsToWhichOfBothACandidateIsNearer) {
  for (const auto& [good, bad] : {std::pair("1000", "1100"), std::pair("1100", "1000")}) {
    FakeSampler sampler(0.01, 2);
    NearerJudge judge = JudgeOf(sampler, PlanOf(good, bad));
    ASSERT_EQ(judge.Prove(), NearerJudge::Proof::kDiffer);
    EXPECT_EQ(judge.Compare(Named(good)).nearer, Nearer::kGood);
    EXPECT_EQ(judge.Compare(Named(bad)).nearer, Nearer::kBad);
    EXPECT_EQ(judge.Compare(Named("1020")).nearer,
              good == std::string("1000") ? Nearer::kGood : Nearer::kBad);
    const Step middle = judge.Compare(Named("1049"));
    EXPECT_EQ(middle.nearer, Nearer::kUnresolved);
    EXPECT_EQ(middle.blocks, 40U) << "it took all blocks that it may";
  }
}

TEST(NearerJudge, SaysThatACandidateCannotBeMeasured) {
  FakeSampler sampler(0.01, 3);
  NearerJudge judge = JudgeOf(sampler, PlanOf("1000", "1100"));
  ASSERT_EQ(judge.Prove(), NearerJudge::Proof::kDiffer);
  sampler.broken = "1050";
  const Step step = judge.Compare(Named("1050"));
  EXPECT_EQ(step.nearer, Nearer::kBroken);
  EXPECT_EQ(step.failure, "it does not answer");
  sampler.broken = "1000";
  EXPECT_EQ(JudgeOf(sampler, PlanOf("1000", "1100")).Prove(), NearerJudge::Proof::kFailed);
}

TEST(NearerJudge, StopsWhereItIsCancelled) {
  FakeSampler sampler(0.01, 4);
  sampler.cancelled = true;
  NearerJudge judge = JudgeOf(sampler, PlanOf("1000", "1100"));
  EXPECT_THROW(judge.Prove(), Cancelled);
}

// A candidate that is as GOOD is taken for a bad one at most as often as the level allows, also
// with three looks.
TEST(NearerJudge, IsWrongAtMostAtItsLevel) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    FakeSampler sampler(0.1, seed);
    NearerJudge judge = JudgeOf(sampler, PlanOf("1000", "1300"));
    if (judge.Prove() == NearerJudge::Proof::kDiffer) {
      wrong +=
          judge.Compare(Named("1139")).nearer == Nearer::kBad ? 1 : 0;  // a bit below the middle
    }
  }
  EXPECT_LE(wrong, 12) << "of 500: 1 % and 3 deviations";
}

}  // namespace

}  // namespace schedbench::history::tests
