#include "stats/suspicion.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace schedbench::stats::suspicion_test {
namespace {

TEST(Outliers, AreFarFromTheMedianInUnitsOfTheSpread) {
  EXPECT_EQ(Outliers(std::vector{10., 11., 9., 10.5, 9.5, 40., 10.}), std::vector<std::size_t>{5});
  EXPECT_TRUE(Outliers(std::vector{10., 11., 9., 10.5, 9.5, 14., 10.}).empty());
}

TEST(Outliers, AreNotFoundWhereMostValuesAreEqual) {
  EXPECT_TRUE(Outliers(std::vector{1., 1., 1., 1., 5.}).empty());
}

TEST(Lag1Correlation, IsOfEachValueWithTheOneBefore) {
  EXPECT_DOUBLE_EQ(Lag1Correlation(std::vector{1., 2., 3.}), 0);
  EXPECT_DOUBLE_EQ(Lag1Correlation(std::vector{1., -1., 1., -1.}), -0.75);
  EXPECT_EQ(Lag1Correlation(std::vector{4., 4., 4., 4.}), 0);
  EXPECT_EQ(Lag1Correlation(std::vector{1., 2.}), 0);
}

TEST(LooksDependent, IsSaidOfADriftAndRarelyOfIndependentValues) {
  EXPECT_FALSE(LooksDependent(std::vector{1., -1., 1., -1., 1., -1., 1., -1.}));
  std::vector<double> drift;
  for (int i = 0; i < 20; ++i) {
    drift.push_back(i);
  }
  EXPECT_TRUE(LooksDependent(drift));
  std::mt19937_64 random(2);
  int said = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    said += LooksDependent(SkewedSample(20, random));
  }
  EXPECT_LT(said, 60);
}

TEST(Dependence, IsThatOfTheSeriesOnAverageAndNoneWhereChanceExplainsIt) {
  EXPECT_EQ(Dependence(std::vector{1., -1., 1., -1., 1., -1., 1., -1.}), 0);
  std::mt19937_64 random(4);
  double sum = 0;
  constexpr int kTrials = 300;
  for (int trial = 0; trial < kTrials; ++trial) {
    sum += Dependence(DriftingSample(100, 0.7, random));
  }
  EXPECT_NEAR(sum / kTrials, 0.7, 0.02);
  std::vector<double> drift;
  for (int i = 0; i < 1000; ++i) {
    drift.push_back(i);
  }
  EXPECT_EQ(Dependence(drift), 0.95);
}

}  // namespace
}  // namespace schedbench::stats::suspicion_test
