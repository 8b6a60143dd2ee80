#include "base/random.hpp"
#include "harness/agent/message.hpp"
#include "harness/load/analysis.hpp"
#include "stats/order_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace schedbench::harness::load_analysis_test {

namespace {

std::vector<std::uint64_t> Sample(QuickRandom& random, std::size_t size) {
  std::vector<std::uint64_t> sample;
  for (std::size_t i = 0; i < size; ++i) {
    // From nanoseconds to minutes, and often the same value twice.
    sample.push_back((std::uint64_t{random.Next()} << random.Next() % 6) >> random.Next() % 32);
  }
  std::ranges::sort(sample);
  return sample;
}

Generator Measured(std::vector<std::uint64_t> latency) {
  Generator generator;
  generator.delay_ns.assign(latency.size(), 0);
  generator.latency_ns = std::move(latency);
  generator.span_ns = 1'000'000'000;
  generator.part.round = RoundReply{};
  return generator;
}

LoadPlan PlanFor(std::size_t generators, double rate) {
  LoadPlan plan{.server = {.name = "fast", .command = {}, .scheduler = "fast"},
                .clients = {.name = "fast", .command = {}, .scheduler = "fast"}};
  plan.generators.resize(generators);
  plan.rate = rate;
  return plan;
}

TEST(LoadAnalysis, APercentileOfTheMergedSamplesIsThatOfTheirUnion) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    QuickRandom random(seed);
    LoadData data;
    std::vector<double> all;
    for (std::uint32_t generator = 1 + random.Next() % 7; generator > 0; --generator) {
      const auto sample = Sample(random, random.Next() % 3000);
      all.insert(all.end(), sample.begin(), sample.end());
      data.generators.push_back(Measured(sample));
    }
    const LoadAnalysis analysis = AnalyseLoad(PlanFor(data.generators.size(), 1000), data);
    const TimeQuantiles& merged = analysis.all->latency;
    EXPECT_EQ(analysis.all->requests, all.size());
    for (const auto& [quantile, p] : {std::pair(merged.p50, 0.5),
                                      {merged.p90, 0.9},
                                      {merged.p99, 0.99},
                                      {merged.p99_9, 0.999},
                                      {merged.max, 1.0}}) {
      if (quantile) {
        EXPECT_EQ(*quantile, stats::Quantile(all, p)) << "seed " << seed << ", p " << p;
      }
    }
    EXPECT_EQ(merged.p99_9.has_value(), all.size() >= 2995);
  }
}

TEST(LoadAnalysis, LatenciesArriveAsTheyWereSent) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    QuickRandom random(seed);
    LatenciesReply sent{.total = 7, .values = Sample(random, random.Next() % 500), .unanswered = 3};
    sent.span_ns = random.Next();
    sent.trouble = "Connection reset by peer";
    const auto got = std::get<LatenciesReply>(ParseReply(ToLine(AgentReply(sent))));
    EXPECT_EQ(got.values, sent.values);
    EXPECT_EQ(got.total, 7U);
    EXPECT_EQ(got.unanswered, 3U);
    EXPECT_EQ(got.span_ns, sent.span_ns);
    EXPECT_EQ(got.trouble, sent.trouble);
  }
}

TEST(LoadAnalysis, AHoleLeavesTheOtherGeneratorsInTheResult) {
  LoadData data;
  data.generators.push_back(Measured({1, 2, 3, 4, 5}));
  data.generators.emplace_back();
  data.generators.back().part.failure = "lost";
  data.generators.push_back(Measured({6, 7}));
  data.generators.back().unanswered = 4;
  data.generators.back().delay_ns.assign(6, 0);
  const LoadAnalysis analysis = AnalyseLoad(PlanFor(3, 30), data);
  ASSERT_EQ(analysis.generators.size(), 3U);
  EXPECT_FALSE(analysis.generators[1]);
  EXPECT_EQ(analysis.generators[2]->unanswered, 4U);
  EXPECT_EQ(analysis.generators[2]->asked, 10);
  EXPECT_EQ(analysis.all->requests, 11U);
  EXPECT_EQ(analysis.all->unanswered, 4U);
  EXPECT_EQ(analysis.all->asked, 20);
  EXPECT_EQ(analysis.all->reached, 7);
  EXPECT_EQ(analysis.all->latency.p50, 6) << "of 1 to 7 and four that are infinite";
}

TEST(LoadAnalysis, RequestsWithoutAnAnswerHaveInfiniteLatencies) {
  LoadData data;
  data.generators.push_back(Measured(std::vector<std::uint64_t>(2940, 5)));
  data.generators.back().unanswered = 60;
  data.generators.back().delay_ns.assign(3000, 0);
  data.generators.push_back(Measured(std::vector<std::uint64_t>(3000, 5)));
  const LoadAnalysis analysis = AnalyseLoad(PlanFor(2, 1000), data);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const TimeQuantiles& one = analysis.generators[0]->latency;
  EXPECT_EQ(one.p50, 5);
  EXPECT_EQ(one.p90, 5);
  EXPECT_EQ(one.p99, kInfinite) << "2 % have no answer";
  EXPECT_EQ(one.p99_9, kInfinite);
  EXPECT_EQ(one.mean, kInfinite);
  EXPECT_EQ(one.max, kInfinite);
  EXPECT_EQ(analysis.generators[1]->latency.max, 5);
  EXPECT_EQ(analysis.all->latency.p90, 5);
  EXPECT_EQ(analysis.all->latency.p99, kInfinite) << "1 % of both and one at its end";
  EXPECT_EQ(analysis.all->latency.max, kInfinite);
}

TEST(LoadAnalysis, WithoutAnyAnswerAllLatenciesAreInfinite) {
  LoadData data;
  data.generators.push_back(Measured({}));
  data.generators.back().unanswered = 400;
  data.generators.back().delay_ns.assign(400, 0);
  const auto latency = AnalyseLoad(PlanFor(1, 1000), data).all->latency;
  EXPECT_EQ(latency.p50, std::numeric_limits<double>::infinity());
  EXPECT_EQ(latency.p99_9, std::nullopt) << "400 requests are too few";
}

TEST(LoadAnalysis, AnOutageAtTheEndLowersTheRateThatWasReached) {
  LoadData data;
  data.generators.push_back(Measured(std::vector<std::uint64_t>(1000, 5)));
  data.generators.back().unanswered = 2000;
  data.generators.back().delay_ns.assign(3000, 0);
  const LoadAnalysis analysis = AnalyseLoad(PlanFor(1, 1000), data);
  EXPECT_NEAR(analysis.all->reached, 1000 / 3.0, 0.01) << "of 3 s, not of the first";
  EXPECT_EQ(analysis.all->reached, analysis.generators[0]->reached);
}

TEST(LoadAnalysis, WithoutAnyGeneratorThereIsNoSummary) {
  LoadData data;
  data.generators.resize(2);
  EXPECT_FALSE(AnalyseLoad(PlanFor(2, 10), data).all);
}

TEST(LoadAnalysis, AGeneratorThatCannotKeepItsTimesIsShown) {
  LoadData data;
  data.generators.push_back(Measured(std::vector<std::uint64_t>(1000, 1'000'000)));
  EXPECT_FALSE(IsDelayed(*AnalyseLoad(PlanFor(1, 1000), data).all));
  data.generators.back().delay_ns.assign(1000, 900'000);
  EXPECT_TRUE(IsDelayed(*AnalyseLoad(PlanFor(1, 1000), data).all));
}

}  // namespace

}  // namespace schedbench::harness::load_analysis_test
