#include "stats/change.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace schedbench::stats::change_test {
namespace {

TEST(Judge, NamesWhereTheIntervalLies) {
  EXPECT_EQ(Judge({1.05, 1.03, 1.07}, 0.02), Change::kRise);
  EXPECT_EQ(Judge({1.05, 1.01, 1.07}, 0.02), Change::kSlightRise);
  EXPECT_EQ(Judge({1.00, 0.99, 1.01}, 0.02), Change::kNone);
  EXPECT_EQ(Judge({1.01, 1.005, 1.015}, 0.02), Change::kNone);  // proven, and proven not to matter
  EXPECT_EQ(Judge({1.00, 0.95, 1.05}, 0.02), Change::kInconclusive);
  EXPECT_EQ(Judge({1.00, 0.99, 1.05}, 0.02), Change::kInconclusive);
  EXPECT_EQ(Judge({0.95, 0.93, 0.99}, 0.02), Change::kSlightFall);
  EXPECT_EQ(Judge({0.50, 0.40, 0.97}, 0.02), Change::kFall);
}

TEST(Judge, AnswersMirroredWhereAAndBChangePlaces) {
  const auto mirror = [](Change change) {
    switch (change) {
      case Change::kRise:
        return Change::kFall;
      case Change::kSlightRise:
        return Change::kSlightFall;
      case Change::kFall:
        return Change::kRise;
      case Change::kSlightFall:
        return Change::kSlightRise;
      default:
        return change;
    }
  };
  for (double low = 0.9; low < 1.1; low += 0.003) {
    for (double high = low; high < 1.1; high += 0.003) {
      const RatioEstimate estimate{(low + high) / 2, low, high};
      const RatioEstimate inverse{1 / estimate.ratio, 1 / high, 1 / low};
      EXPECT_EQ(Judge(inverse, 0.02), mirror(Judge(estimate, 0.02))) << low << " " << high;
    }
  }
}

TEST(PairsToResolve, GrowsWithTheSquareOfTheWidthThatIsTooMuch) {
  const auto around = [](double middle, double half_width) {
    return RatioEstimate{std::exp(middle), std::exp(middle - half_width),
                         std::exp(middle + half_width)};
  };
  const auto pairs = [](const RatioEstimate& estimate, double min_effect) {
    return static_cast<double>(PairsToResolve(estimate, min_effect, 10));
  };
  const double band = std::log1p(0.02);
  EXPECT_NEAR(pairs(around(0, 2 * band), 0.02), 40, 1);         // to be within the band
  EXPECT_NEAR(pairs(around(3 * band, 6 * band), 0.02), 40, 1);  // to leave out 1
  EXPECT_NEAR(pairs(around(band / 2, band), 0.02), 40, 1);      // either: the hardest place
  EXPECT_LE(pairs(around(0, band / 2), 0.02), 10);
  EXPECT_GT(pairs({1.0, 0.999, 1.03}, 0.02), 10) << "the longer side of a skewed interval decides";
}

// What a comparison of a scheduler with itself does: 20 pairs, 8 comparisons that are to hold
// jointly.
TEST(Judge, FindsNoChangeWhereThereIsNone) {
  std::mt19937_64 random(99);
  constexpr int kTrials = 2'000;
  int wrong = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    bool any = false;
    for (int comparison = 0; comparison < 8; ++comparison) {
      const std::vector<double> a = SkewedSample(20, random);
      const std::vector<double> b = SkewedSample(20, random);
      const Change change = Judge(*PairedRatio(PairLogRatios(a, b), LevelOfEach(0.95, 8)), 0.02);
      any = any || (change != Change::kInconclusive && change != Change::kNone);
    }
    wrong += any;
  }
  EXPECT_LE(static_cast<double>(wrong) / kTrials, 0.05);
}

}  // namespace
}  // namespace schedbench::stats::change_test
