#include "stats/grid_variance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace schedbench::stats::grid_variance_test {

namespace {

constexpr std::array<std::size_t, 3> kLevels{2, 3, 4};

// A grid of kLevels whose cells have the value of `value(i, j, k)`.
template <typename Value>
std::vector<double> Filled(Value value) {
  std::vector<double> values;
  for (std::size_t i = 0; i < kLevels[0]; ++i) {
    for (std::size_t j = 0; j < kLevels[1]; ++j) {
      for (std::size_t k = 0; k < kLevels[2]; ++k) {
        values.push_back(
            value(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
      }
    }
  }
  return values;
}

double ShareOf(const GridVariance& variance, const std::vector<std::size_t>& factors) {
  for (const GridEffect& effect : variance.effects) {
    if (effect.factors == factors) {
      return effect.share;
    }
  }
  return -1;
}

TEST(GridVariance, DividesTheVarianceOfASumAmongItsFactors) {
  // The variance of 0, 1 is 1/4, of 0, 1, 2 it is 2/3.
  const auto values = Filled([](double i, double j, double /*k*/) { return 4 * i + j; });
  const GridVariance variance = VarianceOfGrid(kLevels, values, 0);
  EXPECT_NEAR(ShareOf(variance, {0}), 4 / (4 + 2.0 / 3), 1e-12);
  EXPECT_NEAR(ShareOf(variance, {1}), 2.0 / 3 / (4 + 2.0 / 3), 1e-12);
  EXPECT_NEAR(ShareOf(variance, {2}), 0, 1e-12);
  EXPECT_NEAR(ShareOf(variance, {0, 1}), 0, 1e-12);
  EXPECT_EQ(variance.higher, 0);
}

TEST(GridVariance, AttributesAProductOfTwoCentredFactorsToTheirInteraction) {
  const auto pair = Filled([](double i, double j, double /*k*/) { return (i - 0.5) * (j - 1); });
  EXPECT_NEAR(ShareOf(VarianceOfGrid(kLevels, pair, 0), {0, 1}), 1, 1e-12);
  const auto triple =
      Filled([](double i, double j, double k) { return (i - 0.5) * (j - 1) * (k - 1.5); });
  EXPECT_NEAR(VarianceOfGrid(kLevels, triple, 0).higher, 1, 1e-12);
}

TEST(GridVariance, SubtractsTheNoiseOnAverage) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.5);
  double signal = 0;
  constexpr int kGrids = 400;
  for (int grid = 0; grid < kGrids; ++grid) {
    const auto values =
        Filled([&](double i, double /*j*/, double /*k*/) { return 4 * i + noise(random); });
    const GridVariance variance = VarianceOfGrid(kLevels, values, 0.25);
    signal += ShareOf(variance, {0}) / kGrids;
  }
  // Without the subtraction it would be about 0.94. Effects of which less than nothing is left
  // count as 0.
  EXPECT_GT(signal, 0.96);
}

TEST(GridVariance, ReportsNoiseAloneAsNoise) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 1);
  const auto values = Filled([&](double, double, double) { return noise(random); });
  EXPECT_GT(VarianceOfGrid(kLevels, values, 1).noise, 0.5);
  const GridVariance constant = VarianceOfGrid(kLevels, std::vector<double>(24, 3.0), 0);
  EXPECT_EQ(ShareOf(constant, {0}), 0);
}

}  // namespace

}  // namespace schedbench::stats::grid_variance_test
