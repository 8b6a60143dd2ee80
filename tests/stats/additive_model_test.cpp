#include "stats/additive_model.hpp"

#include "stats/grid_variance.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace schedbench::stats::additive_model_test {

namespace {

// All combinations of three and four levels.
struct Design {
  std::vector<AdditiveFactor> factors{{.levels = 3, .is_ordered = false, .level = {}},
                                      {.levels = 4, .is_ordered = false, .level = {}}};
  Design() {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        factors[0].level.push_back(a);
        factors[1].level.push_back(b);
      }
    }
  }

  template <typename F>
  std::vector<double> Values(F value) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < factors[0].level.size(); ++i) {
      values.push_back(value(static_cast<double>(factors[0].level[i]),
                             static_cast<double>(factors[1].level[i])));
    }
    return values;
  }
};

TEST(AdditiveModel, OfAFullGridAgreesWithTheAnalysisOfVariance) {
  const Design design;
  const auto values = design.Values([](double a, double b) { return a * a + 3 * b + 0.5 * a * b; });
  const auto model = VarianceOfAdditive(design.factors, values, 0.01);
  const std::vector<std::size_t> levels{3, 4};
  const GridVariance grid = VarianceOfGrid(levels, values, 0.01);
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->shares[0], grid.effects[0].share, 1e-9);
  EXPECT_NEAR(model->shares[1], grid.effects[1].share, 1e-9);
  EXPECT_NEAR(model->rest, grid.effects[2].share, 1e-9);
  EXPECT_NEAR(model->noise, grid.noise, 1e-12);
}

TEST(AdditiveModel, FitsParabolasInOrderedFactors) {
  Design design;
  for (AdditiveFactor& factor : design.factors) {
    factor.is_ordered = true;
  }
  const auto model = VarianceOfAdditive(
      design.factors, design.Values([](double a, double b) { return (a - 1) * (a - 1) + 0 * b; }),
      0);
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->shares[0], 1, 1e-9);
  EXPECT_NEAR(model->shares[1], 0, 1e-9);
  EXPECT_NEAR(model->rest, 0, 1e-9);
}

TEST(AdditiveModel, IsNoneForMoreCoefficientsThanValues) {
  Design design;
  for (AdditiveFactor& factor : design.factors) {
    factor.level.resize(6);
  }
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  EXPECT_FALSE(VarianceOfAdditive(design.factors, values, 0));
  for (AdditiveFactor& factor : design.factors) {
    factor.is_ordered = true;
  }
  const auto model = VarianceOfAdditive(design.factors, values, 0);
  ASSERT_TRUE(model) << "with straight lines";
  EXPECT_FALSE(model->has_curves);
}

TEST(AdditiveModel, GivesNoiseToNoFactor) {
  const Design design;
  std::mt19937_64 random(1);
  double of_factors = 0;
  double noise = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const auto model = VarianceOfAdditive(design.factors, design.Values([&](double a, double b) {
      return 10 * a + 0 * b + std::normal_distribution<double>()(random);
    }),
                                          1);
    of_factors += model->shares[1] / kRuns;
    noise += model->noise / kRuns;
  }
  EXPECT_LT(of_factors, 0.01);
  EXPECT_NEAR(noise, 11 / (800 + 11.0), 0.005);
}

TEST(AdditiveModel, OfEqualValuesHasNoShares) {
  const Design design;
  const auto model = VarianceOfAdditive(design.factors, std::vector<double>(12, 1), 0);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->shares, std::vector<double>(2, 0));
  EXPECT_EQ(model->rest, 0);
}

}  // namespace

}  // namespace schedbench::stats::additive_model_test
