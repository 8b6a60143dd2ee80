#include "harness/compare/analysis.hpp"

#include "config/schema_of.hpp"
#include "harness/compare/gate.hpp"
#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>

namespace schedbench::harness::analysis_test {

namespace {

struct NoParameters {
  config::Field<"n", std::uint32_t{1}, config::Range{1U, 9U}, "Nothing"> n;
};

constexpr std::array kMetrics{
    registry::Metric{"own_cost", "ns", registry::Better::kLower, "Its own"},
    registry::Metric{"own_number", "things", registry::Better::kNone, "Has no better way"}};

const registry::WorkloadEntry kWorkload{
    .name = "work",
    .doc = "",
    .operation = "thing",
    .schema = &config::SchemaOf<NoParameters>,
    .make = nullptr,
    .metrics = kMetrics,
};

// Skewed noise, as of a machine that is disturbed now and then: a factor of 1 and more.
double Noise(std::mt19937_64& random, double size) {
  return 1 - size * std::log1p(-static_cast<double>(random() >> 11U) * 0x1p-53);
}

RoundReply Round(double wall_ns) {
  return {.wall_ns = static_cast<std::uint64_t>(wall_ns),
          .cpu_ns = static_cast<std::uint64_t>(2 * wall_ns),
          .operations = 1000,
          .peak_rss_bytes = 1U << 20U,
          .metrics = {{"wakeup_p50", wall_ns / 1000}, {"wakeup_p99", std::nullopt}},
          .counts = {{"steals", 10}, {"parks", 0}}};
}

class AnalysisTest : public testing::Test {
 protected:
  AnalysisTest() {
    plan_.alternatives = {{.name = "a", .command = {}, .scheduler = "a"},
                          {.name = "b", .command = {}, .scheduler = "b"}};
    plan_.workloads = {{.entry = &kWorkload}};
    plan_.blocks = 20;
    plan_.rounds = 3;
    data_.series.assign(1, std::vector<Series>(2));
    data_.complete = true;
  }

  // Rounds of 1 ms, and of the second alternative of `factor` ms, each with noise.
  void Measure(double factor, double noise, std::mt19937_64& random) {
    data_.series[0].assign(2, {});
    for (std::uint32_t block = 0; block < plan_.blocks; ++block) {
      for (std::size_t i = 0; i < 2; ++i) {
        // What a process has in all of its rounds, as where its memory lies.
        const double process = Noise(random, noise);
        std::vector<RoundReply> rounds;
        for (std::uint32_t round = 0; round < plan_.rounds; ++round) {
          rounds.push_back(Round(1e6 * (i == 0 ? 1 : factor) * process * Noise(random, noise)));
        }
        data_.series[0][i].blocks.push_back(std::move(rounds));
      }
    }
  }

  Comparison Analyse(double min_effect = 0.02) const {
    return harness::Analyse(plan_, data_, {.of_all = min_effect});
  }

  static const ComparedRow& RowOf(const Comparison& comparison, std::string_view metric,
                                  std::size_t alternative = 1) {
    for (const ComparedRow& row : comparison.rows) {
      if (row.metric->name == metric && row.alternative == alternative) {
        return row;
      }
    }
    throw std::runtime_error("no such row");
  }

  ComparisonPlan plan_;
  ExperimentData data_;
};

TEST_F(AnalysisTest, KnowsWhichWayOfEachMetricIsBetter) {
  std::mt19937_64 random(1);
  Measure(1.2, 0.001, random);
  const Comparison comparison = Analyse();
  EXPECT_EQ(RowOf(comparison, "throughput").verdict, Verdict::kWorse);
  EXPECT_NEAR(RowOf(comparison, "throughput").ratio->ratio, 1 / 1.2, 0.01);
  EXPECT_EQ(RowOf(comparison, "cpu_per_operation").verdict, Verdict::kWorse);
  EXPECT_EQ(RowOf(comparison, "wakeup_p50").verdict, Verdict::kWorse);
  EXPECT_EQ(RowOf(comparison, "peak_memory").verdict, Verdict::kSame);
  Measure(0.8, 0.001, random);
  EXPECT_EQ(RowOf(Analyse(), "throughput").verdict, Verdict::kBetter);
  EXPECT_EQ(RowOf(Analyse(), "cpu_per_operation").verdict, Verdict::kBetter);
}

TEST_F(AnalysisTest, ComparesOtherMetricsOfTheWorkloadThatHaveABetterWay) {
  std::vector<std::string> names;
  for (const registry::Metric* const metric : ComparedMetrics(kWorkload, {})) {
    names.emplace_back(metric->name);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"throughput", "wakeup_p50", "wakeup_p99", "wakeup_p99_9",
                                      "cpu_per_operation", "peak_memory", "own_cost"}));
}

TEST_F(AnalysisTest, SaysWhyAMetricCannotBeCompared) {
  std::mt19937_64 random(2);
  Measure(1, 0.01, random);
  const Comparison comparison = Analyse();
  EXPECT_EQ(RowOf(comparison, "wakeup_p99").missing, "too few samples in 20 of 20 blocks");
  EXPECT_FALSE(RowOf(comparison, "wakeup_p99").verdict.has_value());
  EXPECT_EQ(comparison.comparisons, 4U) << "throughput, p50, CPU time, memory";
  EXPECT_DOUBLE_EQ(comparison.level, 1 - 0.05 / 4);
  plan_.blocks = 5;
  Measure(1, 0.01, random);
  EXPECT_EQ(RowOf(Analyse(), "throughput").missing, "5 blocks, an interval needs 8: --blocks 8");
}

TEST_F(AnalysisTest, LetsNoAlternativeWinThatFailed) {
  std::mt19937_64 random(3);
  Measure(0.5, 0.01, random);
  data_.series[0][1].blocks.back().clear();
  data_.series[0][1].failure = "wrong answer";
  const Comparison comparison = Analyse();
  EXPECT_TRUE(RowOf(comparison, "throughput", 0).spread.has_value());
  EXPECT_EQ(RowOf(comparison, "throughput").missing, "DNF");
  EXPECT_FALSE(RowOf(comparison, "throughput").verdict.has_value());
  EXPECT_EQ(comparison.comparisons, 0U);
}

TEST_F(AnalysisTest, ComparesNoAlternativeWithOneThatFailed) {
  std::mt19937_64 random(3);
  Measure(1, 0.01, random);
  data_.series[0][0].failure = "hang";
  EXPECT_EQ(RowOf(Analyse(), "throughput").missing, "nothing to compare with");
  EXPECT_TRUE(RowOf(Analyse(), "throughput").spread.has_value());
}

TEST_F(AnalysisTest, TakesNoMetricThatOnlySomeBlocksHave) {
  std::mt19937_64 random(8);
  Measure(1, 0.01, random);
  data_.series[0][1].blocks[7][1].metrics[0].second.reset();
  EXPECT_EQ(RowOf(Analyse(), "wakeup_p50").missing, "too few samples in 1 of 20 blocks");
}

TEST_F(AnalysisTest, SaysThatNothingHasNoRatio) {
  std::mt19937_64 random(9);
  Measure(1, 0.01, random);
  for (auto& block : data_.series[0][1].blocks) {
    for (RoundReply& round : block) {
      round.metrics[0].second = 0;
    }
  }
  EXPECT_EQ(RowOf(Analyse(), "wakeup_p50").missing, "no ratio: 0 in 20 of 20 blocks");
  EXPECT_FALSE(RowOf(Analyse(), "wakeup_p50").ratio);
}

TEST_F(AnalysisTest, JudgesTheDifferenceWhereAReferenceOf0HasNoRatio) {
  std::mt19937_64 random(9);
  Measure(1, 0.01, random);
  const auto outcome = [this](double first, double second, Gate::Kind kind, Relation relation) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (auto& block : data_.series[0][i].blocks) {
        for (RoundReply& round : block) {
          round.metrics[0].second = i == 0 ? first : second;
        }
      }
    }
    const Comparison comparison = Analyse();
    const ComparedRow& row = RowOf(comparison, "wakeup_p50");
    EXPECT_TRUE(row.difference && row.difference->difference == second - first);
    EXPECT_EQ(row.verdict, second > first ? Verdict::kWorse : Verdict::kSame);
    return Judge({.kind = kind,
                  .text = "",
                  .metric = "wakeup_p50",
                  .relation = relation,
                  .change = 0.05},
                 comparison.rows)
        .outcome;
  };
  EXPECT_EQ(outcome(0, 10, Gate::Kind::kFailIf, Relation::kAbove), GateOutcome::kFailed);
  EXPECT_EQ(outcome(0, 10, Gate::Kind::kRequire, Relation::kAtMost), GateOutcome::kFailed);
  EXPECT_EQ(outcome(0, 0, Gate::Kind::kFailIf, Relation::kAbove), GateOutcome::kPassed);
  EXPECT_EQ(outcome(0, 0, Gate::Kind::kRequire, Relation::kBelow), GateOutcome::kPassed);
}

TEST_F(AnalysisTest, ListsTheMechanismsThatMovedWhereThereIsADifferenceToExplain) {
  std::mt19937_64 random(4);
  for (const double factor : {1.0, 1.2}) {
    Measure(factor, 0.001, random);
    for (auto& block : data_.series[0][1].blocks) {
      for (RoundReply& round : block) {
        round.counts = {{"steals", 11}, {"parks", 500}};
      }
    }
    const Comparison comparison = Analyse();
    ASSERT_EQ(comparison.moved.size(), factor == 1.0 ? 0U : 1U);
    if (factor != 1.0) {
      EXPECT_EQ(comparison.moved[0].name, "parks");
      EXPECT_EQ(comparison.moved[0].first, 0);
      EXPECT_DOUBLE_EQ(comparison.moved[0].second, 0.5);
    }
  }
}

// 200 comparisons of a thing with itself, on a machine whose processes differ by a tenth.
TEST_F(AnalysisTest, FindsADifferenceOfNothingInAtMostFivePercentOfComparisons) {
  std::mt19937_64 random(5);
  int false_verdicts = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Measure(1, 0.1, random);
    const Comparison comparison = Analyse();
    false_verdicts += std::ranges::any_of(comparison.rows, [](const ComparedRow& row) {
      return row.verdict && *row.verdict != Verdict::kSame &&
             *row.verdict != Verdict::kInconclusive;
    });
  }
  EXPECT_LE(false_verdicts, 10);
}

TEST_F(AnalysisTest, HasAFloorForThroughputAlone) {
  std::mt19937_64 random(9);
  Measure(1.2, 0.02, random);
  const Comparison comparison =
      harness::Analyse(plan_, data_, {.of_all = 0.02, .of_throughput = 0.5});
  EXPECT_EQ(RowOf(comparison, "throughput").verdict, Verdict::kSame);
  EXPECT_EQ(RowOf(comparison, "cpu_per_operation").verdict, Verdict::kWorse);
}

TEST_F(AnalysisTest, ReportsWhatMoreBlocksWouldNotDecide) {
  std::mt19937_64 random(10);
  Measure(1, 0.02, random);
  EXPECT_FALSE(RowOf(Analyse(), "throughput").never);
  EXPECT_TRUE(RowOf(Analyse(), "wakeup_p99_9").never) << "neither reports it";
  EXPECT_FALSE(RowOf(Analyse(), "wakeup_p99").never) << "more samples might";
  for (auto& block : data_.series[0][0].blocks) {
    for (RoundReply& round : block) {
      std::erase_if(round.metrics,
                    [](const NamedMetric& metric) { return metric.first == "wakeup_p50"; });
    }
  }
  EXPECT_TRUE(RowOf(Analyse(), "wakeup_p50").never) << "the first does not report it";
  data_.series[0][1].failure = "it died";
  EXPECT_FALSE(RowOf(Analyse(), "throughput").never);
}

// As where one of the two has a cache, a clock or a neighbour that changes within minutes.
TEST_F(AnalysisTest, FindsADifferenceOfNothingRarelyWhereBlocksFollowEachOther) {
  std::mt19937_64 random(8);
  plan_.blocks = 40;
  plan_.metrics = {"throughput"};
  int false_verdicts = 0;
  int reported = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto drift = stats::DriftingSample(plan_.blocks, 0.7, random);
    data_.series[0].assign(2, {});
    for (const double x : drift) {
      data_.series[0][0].blocks.push_back({Round(1e6)});
      data_.series[0][1].blocks.push_back({Round(1e6 * std::exp(0.1 * x))});
    }
    const ComparedRow row = RowOf(Analyse(), "throughput");
    reported += row.dependent;
    false_verdicts += *row.verdict != Verdict::kSame && *row.verdict != Verdict::kInconclusive;
  }
  EXPECT_GE(reported, 180);
  EXPECT_LE(false_verdicts, 10);
}

TEST_F(AnalysisTest, FindsASlowdownOfFiveAndOfTwentyPercentWithTheRightSign) {
  std::mt19937_64 random(6);
  int found = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Measure(1.05, 0.01, random);
    found += RowOf(Analyse(), "throughput").verdict == Verdict::kWorse;
    Measure(1.2, 0.05, random);
    EXPECT_EQ(RowOf(Analyse(), "throughput").verdict, Verdict::kWorse) << trial;
  }
  EXPECT_GE(found, 45);
}

TEST_F(AnalysisTest, SaysHowManyBlocksWouldDecideWhereTheseDoNot) {
  std::mt19937_64 random(7);
  Measure(1.01, 0.3, random);
  const ComparedRow row = RowOf(Analyse(), "throughput");
  EXPECT_EQ(row.verdict, Verdict::kInconclusive);
  EXPECT_GT(row.pairs_to_resolve, 20U);
}

// Their blocks are no pairs: here a drift of both, which pairs would cancel, hides the difference.
TEST_F(AnalysisTest, ComparesWithASavedOneByRanksAndNotByPairs) {
  std::mt19937_64 random(5);
  Measure(2, 0.01, random);
  const Comparison paired = Analyse();
  EXPECT_FALSE(RowOf(paired, "throughput").ranks);
  plan_.saved = {.file = "saved.json", .count = 1, .against = {0}};
  const Comparison comparison = Analyse();
  const ComparedRow& row = RowOf(comparison, "throughput");
  ASSERT_TRUE(row.ratio && row.ranks);
  EXPECT_EQ(row.against, 0U);
  EXPECT_FALSE(RowOf(comparison, "throughput", 0).against);
  EXPECT_EQ(row.verdict, Verdict::kWorse);
  EXPECT_NEAR(row.ratio->ratio, 0.5, 0.05);
  EXPECT_LT(row.ranks->p, 1e-6);
  EXPECT_EQ(row.ranks->superiority, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    double drift = 1;
    for (auto& block : data_.series[0][i].blocks) {
      for (RoundReply& round : block) {
        round.wall_ns = static_cast<std::uint64_t>(static_cast<double>(round.wall_ns) * drift);
      }
      drift *= 1.3;
    }
  }
  EXPECT_EQ(RowOf(Analyse(), "throughput").verdict, Verdict::kInconclusive);
  plan_.saved = {};
  EXPECT_EQ(RowOf(Analyse(), "throughput").verdict, Verdict::kWorse);
}

TEST_F(AnalysisTest, HasNoRatioToASavedOneOfTooFewBlocks) {
  std::mt19937_64 random(6);
  plan_.blocks = 3;
  Measure(2, 0.01, random);
  plan_.saved = {.file = "saved.json", .count = 1, .against = {0}};
  plan_.metrics = {"throughput"};
  const ComparedRow row = RowOf(Analyse(), "throughput");
  EXPECT_FALSE(row.ratio);
  EXPECT_EQ(row.missing, "3 saved and 3 new blocks prove nothing: more --blocks");
}

}  // namespace

}  // namespace schedbench::harness::analysis_test
