#include "stats/bootstrap.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace schedbench::stats::bootstrap_test {
namespace {

TEST(RatioOfMedians, IsOfTheSamplesAndWithinItsInterval) {
  const RatioEstimate estimate =
      RatioOfMedians(std::vector{1.0, 2.0, 4.0}, std::vector{3.0, 4.0, 9.0, 4.0}, 0.95, 1);
  EXPECT_EQ(estimate.ratio, 2);
  // The least and the most that draws can give; 95 % of them are within less.
  EXPECT_GE(estimate.low, 3.0 / 4);
  EXPECT_LT(estimate.low, 1);
  EXPECT_LE(estimate.high, 9.0 / 1);
  EXPECT_GT(estimate.high, 4);
  const RatioEstimate one = RatioOfMedians(std::vector{1.0, 2.0}, std::vector{3.0}, 0.95, 1, 1);
  EXPECT_LE(one.low, one.ratio);
  EXPECT_LE(one.ratio, one.high);
}

TEST(RatioOfMedians, IsTheSameOfTheSameSeed) {
  std::mt19937_64 random(3);
  const std::vector<double> a = SkewedSample(15, random);
  const std::vector<double> b = SkewedSample(15, random);
  const auto low = [&](std::uint64_t seed) { return RatioOfMedians(a, b, 0.9, seed, 200).low; };
  EXPECT_EQ(low(1), low(1));
  EXPECT_NE(low(1), low(2));
}

TEST(RatioOfMedians, CoversTheRatioOfSkewedSamplesAboutAsOftenAsItSays) {
  std::mt19937_64 random(11);
  constexpr int kTrials = 600;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<double> a = SkewedSample(25, random);
    std::vector<double> b = SkewedSample(25, random);
    for (double& x : b) {
      x *= 1.5;
    }
    const RatioEstimate estimate = RatioOfMedians(a, b, 0.95, random(), 500);
    covered += estimate.low <= 1.5 && 1.5 <= estimate.high;
  }
  EXPECT_GE(static_cast<double>(covered) / kTrials, 0.93);
}

TEST(RatioOfMediansDeath, RefusesValuesWithoutRatio) {
  EXPECT_DEATH(RatioOfMedians({}, std::vector{1.0}, 0.95, 1), "a sample without values");
  EXPECT_DEATH(RatioOfMedians(std::vector{0.0}, std::vector{1.0}, 0.95, 1), "only positive values");
}

}  // namespace
}  // namespace schedbench::stats::bootstrap_test
