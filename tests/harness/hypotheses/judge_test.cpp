// Verdicts on claims, of blocks that are made up.
#include "harness/hypotheses/judge.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string_view>
#include <vector>

namespace schedbench::tests::judge_test {

namespace {

using harness::Judgement;
using harness::Way;
using stats::RatioEstimate;

constexpr std::array<std::string_view, 2> kCounters{"steals", "offloads"};

constexpr harness::Hypothesis kClaim{.name = "H",
                                     .source = "",
                                     .statement = "",
                                     .workload = "",
                                     .before = "a",
                                     .after = "b",
                                     .counters = kCounters,
                                     .mechanism = "steals and offloads",
                                     .counters_go = Way::kFalls,
                                     .throughput_goes = Way::kRises};

constexpr RatioEstimate kUp{1.5, 1.4, 1.6};
constexpr RatioEstimate kDown{0.5, 0.4, 0.6};
constexpr RatioEstimate kSame{1.0, 0.99, 1.01};
constexpr RatioEstimate kWide{1.0, 0.5, 2.0};

TEST(JudgementOf, NeedsTheMechanismAndTheThroughputToMoveAsClaimed) {
  EXPECT_EQ(JudgementOf(kClaim, kDown, kUp, 0.02), Judgement::kSupported);
  EXPECT_EQ(JudgementOf(kClaim, kWide, kUp, 0.02), Judgement::kInconclusive);
  EXPECT_EQ(JudgementOf(kClaim, kDown, kWide, 0.02), Judgement::kInconclusive);
}

TEST(JudgementOf, RefutesWhatMovesTheOtherWayOrMovesInVain) {
  EXPECT_EQ(JudgementOf(kClaim, kDown, kDown, 0.02), Judgement::kRefuted);
  EXPECT_EQ(JudgementOf(kClaim, kUp, kUp, 0.02), Judgement::kRefuted);
  EXPECT_EQ(JudgementOf(kClaim, kWide, kDown, 0.02), Judgement::kRefuted);
  EXPECT_EQ(JudgementOf(kClaim, kDown, kSame, 0.02), Judgement::kRefuted);
  EXPECT_EQ(JudgementOf(kClaim, kDown, kSame, 0.001), Judgement::kInconclusive);
}

TEST(JudgementOf, FindsNothingInASchedulerAgainstItself) {
  EXPECT_EQ(JudgementOf(kClaim, kSame, kSame, 0.02), Judgement::kInconclusive);
  EXPECT_EQ(JudgementOf(kClaim, kWide, kWide, 0.02), Judgement::kInconclusive);
  EXPECT_EQ(JudgementOf(kClaim, std::nullopt, kUp, 0.02), Judgement::kInconclusive);
}

harness::RoundReply RoundOf(std::uint64_t wall_ns, std::uint64_t steals, std::uint64_t offloads) {
  return {.wall_ns = wall_ns,
          .operations = 100,
          .counts = {{"steals", steals}, {"offloads", offloads}, {"parks", 7}}};
}

harness::ComparisonPlan TwoAlternatives() {
  harness::ComparisonPlan plan;
  for (const char* const name : {"a", "b"}) {
    plan.alternatives.emplace_back().name = name;
  }
  return plan;
}

TEST(Judge, TakesTheSumOfTheCountersAndTheThroughputOfEachBlock) {
  harness::ExperimentData data;
  data.series.emplace_back(2);
  for (std::uint64_t block = 0; block < 10; ++block) {
    data.series[0][0].blocks.push_back({RoundOf(1000 + block, 40, 10)});
    data.series[0][1].blocks.push_back({RoundOf(500 + block, 0, 25)});
  }
  const auto judged = harness::Judge(kClaim, TwoAlternatives(), data, 0.95, 0.02);
  EXPECT_EQ(judged.judgement, Judgement::kSupported);
  EXPECT_NEAR(judged.mechanism->ratio, 0.5, 1e-9);
  EXPECT_NEAR(judged.throughput->ratio, 2, 0.01);
}

TEST(Judge, TakesHalfAnEventForNone) {
  harness::ExperimentData data;
  data.series.emplace_back(2);
  for (int block = 0; block < 10; ++block) {
    data.series[0][0].blocks.push_back({RoundOf(1000, 5, 0)});
    data.series[0][1].blocks.push_back({RoundOf(1000, 0, 0)});
  }
  EXPECT_NEAR(harness::Judge(kClaim, TwoAlternatives(), data, 0.95, 0.02).mechanism->ratio, 0.1,
              1e-9);
}

TEST(Judge, ReportsAFailedScheduler) {
  harness::ExperimentData data;
  data.series.emplace_back(2);
  data.series[0][1].failure = "wrong answer";
  const auto judged = harness::Judge(kClaim, TwoAlternatives(), data, 0.95, 0.02);
  EXPECT_EQ(judged.judgement, Judgement::kFailed);
  EXPECT_EQ(judged.reason, "b: wrong answer");
}

TEST(Judge, OfAnswersIsSupportedByRightOnesAndRefutedByAWrongOne) {
  harness::Hypothesis claim = kClaim;
  claim.before = claim.after = "";
  harness::ExperimentData data;
  data.series.emplace_back(2);
  EXPECT_EQ(harness::Judge(claim, TwoAlternatives(), data, 0.95, 0.02).judgement,
            Judgement::kSupported);
  data.series[0][1].failure = "wrong answer";
  EXPECT_EQ(harness::Judge(claim, TwoAlternatives(), data, 0.95, 0.02).judgement,
            Judgement::kRefuted);
  data.series[0][1].refused = true;
  EXPECT_EQ(harness::Judge(claim, TwoAlternatives(), data, 0.95, 0.02).judgement,
            Judgement::kFailed);
}

TEST(Hypotheses, HaveNamesOfTheirOwnAndAControl) {
  std::set<std::string_view> names;
  for (const harness::Hypothesis& hypothesis : harness::Hypotheses()) {
    EXPECT_TRUE(names.insert(hypothesis.name).second) << hypothesis.name;
    EXPECT_EQ(hypothesis.before == hypothesis.after,
              hypothesis.name == "control" || hypothesis.name == "H5");
  }
  EXPECT_TRUE(names.contains("control"));
}

}  // namespace

}  // namespace schedbench::tests::judge_test
