#include "harness/study/study.hpp"

#include "config/schema_of.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace schedbench::harness::study_test {

namespace {

struct NoParameters {
  config::Field<"n", std::uint32_t{1}, config::Range{1U, 9U}, "Nothing"> n;
};

constexpr std::array kMetrics{
    registry::Metric{"latency", "ns", registry::Better::kLower, "Its own"}};

registry::WorkloadEntry WorkloadRankedBy(std::string_view metric) {
  return {.name = "work",
          .doc = "",
          .operation = "thing",
          .schema = &config::SchemaOf<NoParameters>,
          .make = nullptr,
          .metrics = kMetrics,
          .ranked_by = metric};
}

const registry::WorkloadEntry kPlain = WorkloadRankedBy("throughput");
const registry::WorkloadEntry kPaced = WorkloadRankedBy("latency");

// Two problems, of which the second one ranks by latency, and three alternatives.
class StudyTest : public testing::Test {
 protected:
  StudyTest() {
    for (const char* const name : {"a", "b", "c"}) {
      plan_.alternatives.push_back({.name = name, .command = {}, .scheduler = name});
    }
    plan_.workloads = {{.entry = &kPlain, .name = "plain"}, {.entry = &kPaced, .name = "paced"}};
    plan_.metrics = {"throughput", "latency"};
    data_.series.assign(2, std::vector<Series>(3));
    for (std::size_t problem = 0; problem < 2; ++problem) {
      for (std::size_t i = 0; i < 3; ++i) {
        Measure(problem, i, 1, 1);
      }
    }
  }

  // 20 blocks with this time of 1000 operations, in ms, and this latency.
  void Measure(std::size_t problem, std::size_t alternative, double wall_ms, double latency_us) {
    auto& blocks = data_.series[problem][alternative].blocks;
    blocks.assign(20, {RoundReply{.wall_ns = static_cast<std::uint64_t>(1e6 * wall_ms),
                                  .operations = 1000,
                                  .metrics = {{"latency", 1e3 * latency_us}}}});
  }

  Comparison Analyse() const {
    return harness::Analyse(plan_, data_, {.of_all = 0.02});
  }

  StudyCosts Costs() const {
    return CostsOf(plan_, data_, Analyse());
  }

  std::optional<ComparedRow> Largest() const {
    return LargestDifference(plan_, Analyse(), [](const ComparedRow&) { return true; });
  }

  ComparisonPlan plan_;
  ExperimentData data_;
};

TEST_F(StudyTest, CostsAreTheTimeOfAnOperationOrTheMetricThatRanks) {
  Measure(0, 1, 4, 1);
  Measure(1, 2, 1, 7);
  const StudyCosts costs = Costs();
  EXPECT_EQ(costs.problems, (std::vector<std::size_t>{0, 1}));
  EXPECT_DOUBLE_EQ(*costs.costs[0][0], 1e-6);
  EXPECT_DOUBLE_EQ(*costs.costs[0][1], 4e-6);
  EXPECT_DOUBLE_EQ(*costs.costs[1][0], 1e3);
  EXPECT_DOUBLE_EQ(*costs.costs[1][2], 7e3);
}

TEST_F(StudyTest, RanksByAComparedMetricIfTheOwnOneIsNotCompared) {
  plan_.metrics = {"throughput"};
  EXPECT_EQ(RankingMetric(plan_, 1).name, "throughput");
}

TEST_F(StudyTest, AFailureIsACostWithoutAValue) {
  data_.series[0][1].failure = "wrong answer";
  const StudyCosts costs = Costs();
  EXPECT_EQ(costs.problems.size(), 2U);
  EXPECT_FALSE(costs.costs[0][1].has_value());
}

TEST_F(StudyTest, LeavesOutAProblemThatAnAlternativeLacksOrThatWasNotMeasured) {
  data_.series[0][1].failure = "no such workload";
  data_.series[0][1].absent = true;
  EXPECT_EQ(Costs().problems, (std::vector<std::size_t>{1}));
  data_.series[1][2].blocks.clear();
  EXPECT_TRUE(Costs().problems.empty());
}

TEST_F(StudyTest, TheLargestDifferenceIsProven) {
  EXPECT_FALSE(Largest().has_value());
  Measure(0, 1, 2, 1);
  Measure(0, 2, 0.2, 1);
  Measure(1, 2, 1, 3);
  const auto largest = Largest();
  ASSERT_TRUE(largest.has_value());
  EXPECT_EQ(largest->workload, 0U);
  EXPECT_EQ(largest->alternative, 2U);
  EXPECT_EQ(largest->metric->name, "throughput");
  data_.series[0][2].failure = "hang";
  EXPECT_EQ(Largest()->workload, 1U);
}

TEST_F(StudyTest, PrefersADifferenceOfTheMetricThatRanks) {
  Measure(0, 1, 1, 100);  // not what the problem ranks by
  Measure(1, 2, 1, 3);
  EXPECT_EQ(Largest()->workload, 1U);
  Measure(1, 2, 1, 1);
  EXPECT_EQ(Largest()->metric->name, "latency");
}

TEST_F(StudyTest, TheExplanationHasTheProvenMetricsWithTheReferenceTheLargestFirst) {
  Measure(0, 1, 2, 9);
  const Comparison comparison = Analyse();
  const auto rows = ExplainingRows(comparison, *Largest());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].alternative, 0U);
  EXPECT_EQ(rows[1].alternative, 1U);
  EXPECT_EQ(rows[1].metric->name, "latency");
  EXPECT_EQ(rows[3].metric->name, "throughput");
}

TEST(StudyProblem, HasANameWithTheFlagsThatDisturbIt) {
  EXPECT_EQ(NameOf({.workload = "yield", .perturbation = ""}), "yield");
  EXPECT_EQ(NameOf({.workload = "yield:fibers=3", .perturbation = "--hog 2"}),
            "yield:fibers=3 --hog 2");
}

}  // namespace

}  // namespace schedbench::harness::study_test
