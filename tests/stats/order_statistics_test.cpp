#include "stats/order_statistics.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace schedbench::stats::order_statistics_test {
namespace {

TEST(Median, IsTheMiddleValueOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(Median(std::vector{5.0}), 5);
  EXPECT_EQ(Median(std::vector{9.0, 1.0, 4.0}), 4);
  EXPECT_EQ(Median(std::vector{9.0, 1.0, 4.0, 5.0}), 4.5);
}

TEST(Quantile, IsLinearBetweenTheRanks) {
  const std::vector<double> sample{40, 10, 30, 20};
  EXPECT_EQ(Quantile(sample, 0), 10);
  EXPECT_EQ(Quantile(sample, 1), 40);
  EXPECT_DOUBLE_EQ(Quantile(sample, 0.25), 17.5);  // R: quantile(c(10, 20, 30, 40), 0.25)
  EXPECT_DOUBLE_EQ(Quantile(sample, 0.9), 37);
  EXPECT_EQ(Quantile(sample, 0.5), Median(sample));
}

TEST(Quantile, KeepsInfinities) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> sample{1, infinity, infinity};
  EXPECT_EQ(Quantile(sample, 0.75), infinity);
  EXPECT_EQ(Quantile(sample, 0), 1);
}

TEST(OrderStatisticsDeath, RefuseEmptySamplesNanAndImpossibleLevels) {
  EXPECT_DEATH(Median({}), "a sample without values");
  EXPECT_DEATH(Median(std::vector{1.0, std::nan("")}), "NaN has no rank");
  EXPECT_DEATH(Quantile(std::vector{1.0}, 1.5), "between 0 and 1");
  EXPECT_DEATH(MedianIntervalRank(10, 1.0), "between 0 and 1");
}

TEST(MedianInterval, HasTheRanksOfTheSignTest) {
  const std::vector<std::pair<std::size_t, std::size_t>> table{
      {6, 1},  {7, 1},   {8, 1},   {9, 2},   {10, 2},  {12, 3},  {15, 4},
      {20, 6}, {30, 10}, {40, 14}, {50, 18}, {60, 22}, {100, 40}};
  for (const auto& [n, k] : table) {
    EXPECT_EQ(MedianIntervalRank(n, 0.95), k) << n;
  }
}

TEST(MedianInterval, HasTheExactCoverageOfTheBinomial) {
  EXPECT_DOUBLE_EQ(MedianIntervalCoverage(6, 1), 1 - 2.0 / 64);
  EXPECT_DOUBLE_EQ(MedianIntervalCoverage(10, 2), 1 - 2.0 * 11 / 1024);
  EXPECT_NEAR(MedianIntervalCoverage(20, 6), 0.959, 0.0005);
  EXPECT_NEAR(MedianIntervalCoverage(30, 10), 0.957, 0.0005);
  EXPECT_NEAR(MedianIntervalCoverage(50, 18), 0.967, 0.0005);
}

TEST(MedianInterval, TakesTheLargestRankThatKeepsTheLevel) {
  for (const double level : {0.5, 0.9, 0.95, 0.99, 1 - 0.05 / 10}) {
    for (std::size_t n = SmallestSampleWithInterval(level); n < 300; ++n) {
      const std::size_t k = MedianIntervalRank(n, level);
      ASSERT_GE(k, 1u) << n;
      EXPECT_GE(MedianIntervalCoverage(n, k), level) << n;
      if (k + 1 <= (n + 1) / 2) {
        EXPECT_LT(MedianIntervalCoverage(n, k + 1), level) << n;
      }
    }
  }
}

TEST(MedianInterval, HoldsForSamplesWhoseLeastProbabilityIsBelowADouble) {
  // k = n/2 - 1.96 sqrt(n)/2 to the first order.
  EXPECT_NEAR(static_cast<double>(MedianIntervalRank(1'000'000, 0.95)), 500'000 - 980, 2);
  EXPECT_NEAR(MedianIntervalCoverage(1'000'000, 500'000 - 980), 0.95, 0.001);
}

TEST(MedianInterval, DoesNotExistForSmallSamples) {
  EXPECT_EQ(SmallestSampleWithInterval(0.95), 6u);
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(MedianIntervalRank(n, 0.95), 0u);
    EXPECT_FALSE(MedianConfidenceInterval(std::vector<double>(n, 1.0)).has_value());
  }
  // Intervals that hold jointly, by Bonferroni, for 1, 2, 3, 4, 6 and 10 comparisons.
  const std::vector<std::pair<int, std::size_t>> table{{1, 6}, {2, 7}, {3, 7},
                                                       {4, 8}, {6, 8}, {10, 9}};
  for (const auto& [comparisons, n] : table) {
    EXPECT_EQ(SmallestSampleWithInterval(1 - 0.05 / comparisons), n) << comparisons;
  }
}

TEST(MedianInterval, ConsistsOfValuesOfTheSample) {
  const auto interval =
      MedianConfidenceInterval(std::vector<double>{10, 3, 7, 1, 9, 2, 8, 4, 6, 5}, 0.95);
  ASSERT_TRUE(interval.has_value());
  EXPECT_EQ(interval->rank, 2u);
  EXPECT_EQ(interval->low, 2);
  EXPECT_EQ(interval->high, 9);
  EXPECT_DOUBLE_EQ(interval->coverage, 1 - 2.0 * 11 / 1024);
}

TEST(MedianInterval, CoversTheMedianOfSkewedDataAsOftenAsItSays) {
  std::mt19937_64 random(1729);
  constexpr int kTrials = 20'000;
  for (const std::size_t n : {6u, 10u, 20u, 33u}) {
    int covered = 0;
    double claimed = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto interval = MedianConfidenceInterval(SkewedSample(n, random));
      covered += interval->low <= std::log(2) && std::log(2) <= interval->high;
      claimed = interval->coverage;
    }
    const double coverage = static_cast<double>(covered) / kTrials;
    EXPECT_GE(coverage, 0.95) << n;
    // Four standard deviations of the count.
    EXPECT_NEAR(coverage, claimed, 4 * std::sqrt(claimed * (1 - claimed) / kTrials)) << n;
  }
}

TEST(MedianInterval, OfASeriesReachesFurtherAndStopsAtItsEnds) {
  std::vector<double> series;
  for (int i = 1; i <= 40; ++i) {
    series.push_back(i);
  }
  EXPECT_EQ(MedianConfidenceInterval(series, 0.95, 0)->rank, 14U);
  // Twice as far from 20.5 as 14.
  EXPECT_EQ(MedianConfidenceInterval(series, 0.95, 0.6)->rank, 7U);
  EXPECT_FALSE(MedianConfidenceInterval(series, 0.95, 0.6)->stops_short);
  EXPECT_EQ(MedianConfidenceInterval(series, 0.95, 0.95)->rank, 1U);
  EXPECT_TRUE(MedianConfidenceInterval(series, 0.95, 0.95)->stops_short);
  EXPECT_FALSE(MedianConfidenceInterval(std::vector{1.0, 2.0}, 0.95, 0.5));
}

TEST(MedianInterval, CoversTheMedianOfADriftingSeriesOnlyIfGivenTheDrift) {
  std::mt19937_64 random(3);
  constexpr int kTrials = 2000;
  for (const double correlation : {0.3, 0.5, 0.7}) {
    int covered = 0;
    int covered_untold = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      const std::vector<double> series = DriftingSample(40, correlation, random);
      const auto interval = MedianConfidenceInterval(series, 0.95, correlation);
      const auto untold = MedianConfidenceInterval(series, 0.95);
      covered += interval->low <= 0 && 0 <= interval->high;
      covered_untold += untold->low <= 0 && 0 <= untold->high;
    }
    EXPECT_GE(covered, 0.95 * kTrials) << correlation;
    EXPECT_LT(covered_untold, 0.93 * kTrials) << correlation;
  }
}

}  // namespace
}  // namespace schedbench::stats::order_statistics_test
