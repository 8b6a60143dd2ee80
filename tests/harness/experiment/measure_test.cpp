// With an agent in a shell, which answers and measures nothing.
#include "harness/experiment/measure.hpp"

#include "harness/compare/plan.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::harness::measure_test {

namespace {

const registry::WorkloadEntry kWorkload{
    .name = "nothing", .doc = "", .operation = "thing", .schema = nullptr, .make = nullptr};

// `rounds`: what it says of the operations of its rounds, the audit included, one after the other,
// and then again.
std::vector<std::string> Agent(const std::string& rounds = "7") {
  return {"sh", "-c",
          "set -- " + rounds +
              R"(
while read -r request; do
  case $request in
    *'"request":"open"'*) echo '{"reply":"open","operation":"thing"}' ;;
    *'"request":"close"'*) echo '{"reply":"close"}' ;;
    *) echo "{\"reply\":\"round\",\"wall_ns\":1000,\"cpu_ns\":1000,\"operations\":$1,\"peak_rss_bytes\":1}"
       set -- "$@" "$1"; shift ;;
  esac
done)"};
}

ComparisonPlan PlanWith(const std::vector<std::string>& second, std::uint32_t blocks) {
  ComparisonPlan plan;
  static_cast<Extent&>(plan) = {.blocks = blocks, .rounds = 2, .warmup = 0, .seed = 1};
  plan.alternatives = {{.name = "one", .command = Agent(), .scheduler = "s"},
                       {.name = "other", .command = second, .scheduler = "s"}};
  plan.workloads = {{.entry = &kWorkload, .name = "nothing"}};
  return plan;
}

ExperimentEvents Quiet() {
  return {.progress = [](const ExperimentProgress&) {},
          .cancelled = [] { return false; },
          .disturbance = [] { return Disturbance(); }};
}

TEST(Experiment, MeasuresDisturbedBlocksAgainUpToAQuarterAndKeepsAllRounds) {
  ExperimentEvents events = Quiet();
  int looks = 0;
  events.disturbance = [&looks] {
    ++looks;
    return Disturbance{.others_share = looks == 3 ? 0 : 0.5, .busiest = "sh"};
  };
  const ExperimentData data = Measure(ExperimentOf(PlanWith(Agent(), 8)), events);
  EXPECT_TRUE(data.complete);
  EXPECT_EQ(looks, 10);
  // The first block is disturbed twice, as often as 8 blocks may be measured again, and then not.
  ASSERT_EQ(data.disturbed.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    const DisturbedBlock& block = data.disturbed[i];
    EXPECT_EQ(block.block, i < 2 ? 0 : i - 1);
    ASSERT_EQ(block.replaced.size(), i < 2 ? 2U : 0U);
    if (i < 2) {
      EXPECT_EQ(block.replaced[1].size(), 2U);
    }
  }
  for (const Series& series : data.series[0]) {
    ASSERT_EQ(series.blocks.size(), 8U);
    for (const auto& rounds : series.blocks) {
      EXPECT_EQ(rounds.size(), 2U);
    }
  }
}

TEST(Experiment, MeasuresABlockAgainAtMostThreeTimesInARow) {
  ExperimentEvents events = Quiet();
  events.disturbance = [] { return Disturbance{.others_share = 0.5, .busiest = "sh"}; };
  const ExperimentData data = Measure(ExperimentOf(PlanWith(Agent(), 20)), events);
  std::map<std::size_t, int> repeats;
  for (const DisturbedBlock& block : data.disturbed) {
    repeats[block.block] += block.replaced.empty() ? 0 : 1;
  }
  EXPECT_EQ(repeats[0], 3);
  EXPECT_EQ(repeats[1], 2) << "a quarter of 20 blocks is 5";
  EXPECT_EQ(data.series[0][0].blocks.size(), 20U);
}

TEST(Experiment, MeasuresNoneOfFewerThanFourBlocksAgain) {
  ExperimentEvents events = Quiet();
  events.disturbance = [] { return Disturbance{.others_share = 0.5, .busiest = "sh"}; };
  const ExperimentData data = Measure(ExperimentOf(PlanWith(Agent(), 3)), events);
  ASSERT_EQ(data.disturbed.size(), 3U);
  EXPECT_TRUE(data.disturbed[0].replaced.empty());
}

TEST(Experiment, ContinuesAfterAnyKnownBlockAsIfItHadNotEnded) {
  ComparisonPlan plan = PlanWith(Agent(), 6);
  plan.alternatives.push_back({.name = "wrong", .command = Agent("7 8"), .scheduler = "s"});
  plan.alternatives.push_back({.name = "fourth", .command = Agent(), .scheduler = "s"});
  plan.budget = std::chrono::hours(1);
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, Series>> known;
  std::size_t cut = 0;
  std::size_t measured = 0;
  ExperimentEvents events = Quiet();
  events.disturbance = [] { return Disturbance{.others_share = 0.5, .busiest = "sh"}; };
  events.now = [] { return std::uint64_t{0}; };
  events.settled = [](const ExperimentData& data) {
    return std::vector<std::vector<bool>>{
        {false, data.series[0][1].blocks.size() == 4, false, false}};
  };
  events.known = [&](std::size_t cell, std::size_t block, const std::string& place) {
    EXPECT_EQ(place, "");
    std::optional<Series> found;
    for (std::size_t i = 0; i < cut; ++i) {
      found = known[i].first == std::pair(cell, block) ? known[i].second : found;
    }
    return found;
  };
  events.measured = [&](std::size_t cell, std::size_t block, const Series& series) {
    ++measured;
    if (cut == 0) {
      known.emplace_back(std::pair(cell, block), series);
    }
  };
  const ExperimentData whole = Measure(ExperimentOf(plan), events);
  // Four blocks of the second, six of the first and the last, and a failure.
  ASSERT_EQ(known.size(), 17U);
  EXPECT_EQ(known[2].second.failure.empty(), false);
  EXPECT_TRUE(known[0].second.audit);
  for (cut = 1; cut <= known.size(); ++cut) {
    measured = 0;
    const ExperimentData data = Measure(ExperimentOf(plan), events);
    // A block is known if all of it is.
    const std::size_t taken = cut < 4    ? 0
                              : cut < 13 ? (cut - 4) / 3 * 3 + 4
                                         : 13 + (cut - 13) / 2 * 2;
    EXPECT_EQ(measured, known.size() - taken) << cut;
    EXPECT_TRUE(data.complete);
    for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
      const Series& now = data.series[0][i];
      const Series& then = whole.series[0][i];
      EXPECT_EQ(now.blocks.size(), then.blocks.size()) << cut;
      EXPECT_EQ(now.failure, then.failure);
      EXPECT_EQ(now.settled, then.settled);
      EXPECT_EQ(now.audit.has_value(), then.audit.has_value());
    }
    std::size_t count = 0;
    for (const DisturbedBlock& block : data.disturbed) {
      count += block.replaced.empty() ? 1 : 0;
      EXPECT_EQ(block.by.busiest, "sh");
    }
    EXPECT_EQ(count, 6U) << "blocks that count although something else ran";
  }
}

constexpr std::uint64_t kRoundNs = 10'000'000'000;

TEST(Experiment, EndsAfterTheRoundInWhichTheBudgetEnds) {
  ComparisonPlan plan = PlanWith(Agent(), 1000);
  plan.budget = std::chrono::seconds(11);
  ExperimentEvents events = Quiet();
  std::size_t rounds = 0;
  events.progress = [&rounds](const ExperimentProgress&) { ++rounds; };
  events.now = [&rounds] { return rounds * kRoundNs; };
  const ExperimentData data = Measure(ExperimentOf(plan), events);
  EXPECT_TRUE(data.complete);
  EXPECT_EQ(rounds, 2U) << "of the 4 rounds of the first block";
  EXPECT_TRUE(data.series[0][0].blocks.empty());
  EXPECT_TRUE(data.series[0][1].blocks.empty());
  EXPECT_EQ(data.unfinished_block, std::chrono::seconds(40));
}

TEST(Experiment, ReportsHowLongABlockTakesAlsoIfTheBudgetEndsBeforeTheFirstBegins) {
  ComparisonPlan plan = PlanWith(Agent(), 8);
  plan.budget = std::chrono::milliseconds(1);
  ExperimentEvents events = Quiet();
  std::uint64_t looks = 0;
  events.now = [&looks] { return 2'000'000 * looks++; };
  const ExperimentData data = Measure(ExperimentOf(plan), events);
  EXPECT_TRUE(data.series[0][0].blocks.empty());
  EXPECT_TRUE(data.unfinished_block);
}

TEST(Experiment, LetsADisturbedBlockCountIfThereIsNoTimeToMeasureItAgain) {
  ComparisonPlan plan = PlanWith(Agent(), 1000);
  plan.budget = std::chrono::seconds(200);
  ExperimentEvents events = Quiet();
  std::size_t rounds = 0;
  events.progress = [&rounds](const ExperimentProgress&) { ++rounds; };
  events.now = [&rounds] { return (rounds < 17 ? rounds : 21) * kRoundNs; };
  events.disturbance = [&rounds] {
    return Disturbance{.others_share = rounds == 16 ? 0.5 : 0, .busiest = "sh"};
  };
  const ExperimentData data = Measure(ExperimentOf(plan), events);
  EXPECT_EQ(rounds, 17U) << "four blocks of four rounds, and the first of the repetition";
  EXPECT_EQ(data.series[0][0].blocks.size(), 4U);
  EXPECT_EQ(data.series[0][1].blocks.size(), 4U);
  ASSERT_EQ(data.disturbed.size(), 1U);
  EXPECT_TRUE(data.disturbed[0].replaced.empty());
  EXPECT_EQ(data.unfinished_block, std::nullopt);
}

TEST(Experiment, KeepsAFailureOfARepetitionThatTheBudgetEnds) {
  ComparisonPlan plan = PlanWith(Agent(), 1000);
  plan.budget = std::chrono::seconds(100);
  ExperimentEvents events = Quiet();
  int attempts = 0;
  events.now = [&attempts] { return static_cast<std::uint64_t>(attempts) * kRoundNs; };
  events.disturbance = [] { return Disturbance{.others_share = 0.5, .busiest = "sh"}; };
  events.measure_block = [&attempts](const BlockPlan& block, const BlockEvents&) {
    BlockData data{.series = std::vector<Series>(block.members.size())};
    if (++attempts == 5) {
      data.series[1].failure = "wrong answer";
      data.ending = BlockData::Ending::kOutOfTime;
      return data;
    }
    for (Series& series : data.series) {
      series.blocks.push_back({{.wall_ns = 1000, .operations = 7}});
    }
    return data;
  };
  const ExperimentData data = Measure(ExperimentOf(plan), events);
  EXPECT_EQ(attempts, 5) << "the fourth block is the first that may be repeated";
  EXPECT_EQ(data.series[0][1].failure, "wrong answer");
  EXPECT_EQ(data.series[0][0].blocks.size(), 4U);
  EXPECT_EQ(data.series[0][1].blocks.size(), 4U);
}

TEST(Experiment, TakesTheOrderOfABlockFromItsNumberAlone) {
  std::vector<std::size_t> whole;
  std::vector<std::size_t> rest;
  for (auto* const orders : {&whole, &rest}) {
    ExperimentEvents events = Quiet();
    events.measure_block = [orders](const BlockPlan& block, const BlockEvents&) {
      orders->push_back(block.order);
      Series series;
      series.blocks.push_back({{.wall_ns = 1000, .operations = 7}});
      return BlockData{.series = {block.members.size(), series}};
    };
    if (orders == &rest) {
      events.known = [](std::size_t, std::size_t block, const std::string&) {
        Series series;
        series.blocks.push_back({{.wall_ns = 1000, .operations = 7}});
        return block < 3 ? std::optional(series) : std::nullopt;
      };
    }
    Measure(ExperimentOf(PlanWith(Agent(), 8)), events);
  }
  ASSERT_EQ(whole.size(), 8U);
  EXPECT_EQ(rest, std::vector<std::size_t>(whole.begin() + 3, whole.end()));
}

TEST(Experiment, KeepsTheSameBlocksOfAllWheneverItIsCancelled) {
  bool complete = false;
  for (int patience = 1; !complete && patience < 1000; ++patience) {
    ExperimentEvents events = Quiet();
    int asked = 0;
    events.cancelled = [&] { return ++asked > patience; };
    const ExperimentData data = Measure(ExperimentOf(PlanWith(Agent(), 2)), events);
    complete = data.complete;
    ASSERT_EQ(data.series[0][0].blocks.size(), data.series[0][1].blocks.size()) << patience;
  }
  EXPECT_TRUE(complete);
}

TEST(Experiment, ReportsTheSignalThatEndedAnAgent) {
  const ExperimentData killed =
      Measure(ExperimentOf(PlanWith({"sh", "-c", "read -r request; kill -INT $$"}, 1)), Quiet());
  EXPECT_TRUE(killed.complete);
  EXPECT_NE(killed.series[0][1].failure.find("signal 2"), std::string::npos)
      << killed.series[0][1].failure;
}

TEST(Experiment, DisqualifiesAnAgentThatCountsOtherOperationsInARoundThanInTheAudit) {
  const ExperimentData data = Measure(ExperimentOf(PlanWith(Agent("6 7 7"), 2)), Quiet());
  EXPECT_EQ(data.series[0][0].failure, "");
  EXPECT_EQ(data.series[0][1].failure,
            "the agent counts 7 operations in the audit, but 6 in a round");
  const ExperimentData later = Measure(ExperimentOf(PlanWith(Agent("7 7 8"), 2)), Quiet());
  EXPECT_EQ(later.series[0][1].failure,
            "the agent counts 8 operations in the audit, but 7 in a round");
}

TEST(Experiment, LeavesOutAnAgentWithoutTheWorkload) {
  ComparisonPlan plan = PlanWith(Agent(), 2);
  plan.alternatives[1].workloads = {{"something"}};
  const ExperimentData data = Measure(ExperimentOf(plan), Quiet());
  EXPECT_TRUE(data.series[0][1].absent);
  EXPECT_EQ(data.series[0][0].blocks.size(), 2U);
}

}  // namespace

}  // namespace schedbench::harness::measure_test
