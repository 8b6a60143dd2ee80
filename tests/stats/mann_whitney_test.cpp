#include "stats/mann_whitney.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace schedbench::stats::mann_whitney_test {
namespace {

TEST(MannWhitney, CountsPairsInWhichBIsLarger) {
  const RankComparison comparison = MannWhitney(std::vector{1.0, 4.0}, std::vector{2.0, 3.0, 5.0});
  EXPECT_EQ(comparison.u, 4);
  EXPECT_DOUBLE_EQ(comparison.superiority, 4.0 / 6);
}

TEST(MannWhitney, CountsEqualPairsHalf) {
  EXPECT_EQ(MannWhitney(std::vector{1.0, 2.0}, std::vector{2.0, 2.0}).u, 3);
}

// P by going through all orders, of each U that can be.
TEST(MannWhitney, HasTheProbabilityOfAllOrdersThatAreAsUneven) {
  constexpr unsigned kA = 4;
  constexpr unsigned kB = 5;
  std::vector<double> all;
  std::vector<double> p;
  for (unsigned chosen = 0; chosen < 1U << (kA + kB); ++chosen) {
    if (__builtin_popcount(chosen) != kA) {
      continue;
    }
    std::vector<double> a;
    std::vector<double> b;
    for (unsigned i = 0; i < kA + kB; ++i) {
      ((chosen >> i & 1U) != 0 ? a : b).push_back(i);
    }
    const RankComparison comparison = MannWhitney(a, b);
    all.push_back(std::abs(comparison.u - kA * kB / 2.0));
    p.push_back(comparison.p);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t as_uneven = 0;
    for (const double distance : all) {
      as_uneven += distance >= all[i];
    }
    EXPECT_NEAR(p[i], static_cast<double>(as_uneven) / static_cast<double>(all.size()), 1e-12);
  }
}

TEST(MannWhitney, IsCertainOfNothingWhereAllValuesAreEqual) {
  const RankComparison comparison =
      MannWhitney(std::vector<double>(30, 1), std::vector<double>(30, 1));
  EXPECT_EQ(comparison.p, 1);
  EXPECT_EQ(comparison.superiority, 0.5);
}

TEST(MannWhitney, GoesFromExactToNormalWithoutAStep) {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 20; ++i) {
    a.push_back(i);
    b.push_back(i + 6.5);
  }
  const double exact = MannWhitney(a, b).p;
  b[0] = 7;  // a tie asks for the normal distribution
  const double normal = MannWhitney(a, b).p;
  EXPECT_NEAR(normal, exact, 0.002);
  EXPECT_LT(exact, 0.01);
}

// 1,000 tests of samples of one distribution: p is below 5 % in about 5 % of them.
TEST(MannWhitney, IsSignificantByChanceAsOftenAsItSays) {
  std::mt19937_64 random(7);
  for (const std::size_t n : {8U, 40U}) {
    int significant = 0;
    for (int trial = 0; trial < 1000; ++trial) {
      std::vector<double> a(n);
      std::vector<double> b(n);
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<double>(random());
        b[i] = static_cast<double>(random());
      }
      significant += MannWhitney(a, b).p <= 0.05;
    }
    EXPECT_GT(significant, 20) << n;
    EXPECT_LT(significant, 80) << n;
  }
}

TEST(SmallestP, IsTheOneOfSamplesWithoutOverlap) {
  EXPECT_DOUBLE_EQ(SmallestP(3, 3), 0.1);
  EXPECT_NEAR(SmallestP(4, 4), 0.029, 0.0005);
  EXPECT_NEAR(SmallestP(5, 5), 0.0079, 0.00005);
  EXPECT_EQ(SmallestP(1, 1), 1);
  EXPECT_DOUBLE_EQ(SmallestP(3, 4),
                   MannWhitney(std::vector{1., 2., 3.}, std::vector{4., 5., 6., 7.}).p);
}

TEST(EffectSize, HasTheLimitsOfCliffsDelta) {
  EXPECT_EQ(EffectSize(0.5), "negligible");
  EXPECT_EQ(EffectSize(0.6), "small");
  EXPECT_EQ(EffectSize(0.3), "medium");
  EXPECT_EQ(EffectSize(1), "large");
  EXPECT_EQ(EffectSize(0), "large");
}

TEST(MannWhitneyDeath, RefusesEmptySamplesAndNan) {
  EXPECT_DEATH(MannWhitney({}, std::vector{1.0}), "a sample without values");
  EXPECT_DEATH(MannWhitney(std::vector{std::nan("")}, std::vector{1.0}), "NaN has no rank");
}

}  // namespace
}  // namespace schedbench::stats::mann_whitney_test
