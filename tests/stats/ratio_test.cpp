#include "stats/ratio.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace schedbench::stats::ratio_test {
namespace {

TEST(LogRatios, AreOfEachPairInItsOrder) {
  const LogRatios pairs = PairLogRatios(std::vector{1.0, 2.0, 4.0}, std::vector{2.0, 2.0, 1.0});
  ASSERT_EQ(pairs.values.size(), 3U);
  EXPECT_DOUBLE_EQ(pairs.values[0], std::log(2));
  EXPECT_EQ(pairs.values[1], 0);
  EXPECT_DOUBLE_EQ(pairs.values[2], -std::log(4));
  EXPECT_EQ(pairs.ties, 1U);
  EXPECT_EQ(pairs.dropped, 0U);
}

TEST(LogRatios, DropAndCountPairsWithoutRatio) {
  const double infinity = std::numeric_limits<double>::infinity();
  const LogRatios pairs = PairLogRatios(std::vector{0.0, 1.0, -1.0, 1.0, 3.0},
                                        std::vector{1.0, 0.0, -1.0, infinity, 6.0});
  ASSERT_EQ(pairs.values.size(), 1U);
  EXPECT_DOUBLE_EQ(pairs.values[0], std::log(2));
  EXPECT_EQ(pairs.dropped, 4U);
  EXPECT_EQ(pairs.ties, 0U);
}

TEST(PairedRatio, IsTheMedianRatioBetweenOrderStatistics) {
  const std::vector<double> a(6, 10.0);
  const auto estimate =
      PairedRatio(PairLogRatios(a, std::vector{11.0, 12.0, 13.0, 9.0, 8.0, 20.0}), 0.95);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_DOUBLE_EQ(estimate->ratio,
                   std::sqrt(1.1 * 1.2));  // the mean of the middle two, of logarithms
  EXPECT_DOUBLE_EQ(estimate->low, 0.8);
  EXPECT_DOUBLE_EQ(estimate->high, 2);
}

TEST(PairedRatio, DoesNotExistOfTooFewPairs) {
  const std::vector<double> five(5, 1.0);
  EXPECT_FALSE(PairedRatio(PairLogRatios(five, five), 0.95).has_value());
}

TEST(PairedRatio, OfBToAIsTheInverseOfThatOfAToB) {
  std::mt19937_64 random(4);
  const std::vector<double> a = SkewedSample(15, random);
  const std::vector<double> b = SkewedSample(15, random);
  const auto forth = PairedRatio(PairLogRatios(a, b), 0.95);
  const auto back = PairedRatio(PairLogRatios(b, a), 0.95);
  ASSERT_TRUE(forth && back);
  EXPECT_DOUBLE_EQ(forth->ratio, 1 / back->ratio);
  EXPECT_DOUBLE_EQ(forth->low, 1 / back->high);
  EXPECT_DOUBLE_EQ(forth->high, 1 / back->low);
}

// A machine that gets slower and slower, by more than what is to be found: in each pair it cancels
// out.
TEST(PairedRatio, FindsTheRatioUnderADriftThatBothShare) {
  std::mt19937_64 random(5);
  std::vector<double> a(20);
  std::vector<double> b(20);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double drift = 1 + 0.1 * static_cast<double>(i);
    a[i] = drift;
    b[i] = drift * 1.05 * (1 + 0.001 * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5));
  }
  const auto estimate = PairedRatio(PairLogRatios(a, b), 0.95);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->low, 1.05, 0.001);
  EXPECT_NEAR(estimate->high, 1.05, 0.001);
}

TEST(PairedRatio, CoversTheRatioOfSkewedPairsAtLeastAsOftenAsItSays) {
  std::mt19937_64 random(1729);
  constexpr int kTrials = 10'000;
  for (const std::size_t n : {8U, 12U, 20U, 40U}) {
    int covered = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      // The ratio of two of one distribution has the median 1, however skewed they are.
      std::vector<double> b = SkewedSample(n, random);
      const std::vector<double> a = SkewedSample(n, random);
      for (double& x : b) {
        x *= 1.2;
      }
      const auto estimate = PairedRatio(PairLogRatios(a, b), 0.95);
      covered += estimate->low <= 1.2 && 1.2 <= estimate->high;
    }
    EXPECT_GE(static_cast<double>(covered) / kTrials, 0.95) << n;
  }
}

TEST(LevelOfEach, SharesTheErrorAmongAllComparisons) {
  EXPECT_DOUBLE_EQ(LevelOfEach(0.95, 1), 0.95);
  EXPECT_DOUBLE_EQ(LevelOfEach(0.95, 10), 0.995);
}

}  // namespace
}  // namespace schedbench::stats::ratio_test
