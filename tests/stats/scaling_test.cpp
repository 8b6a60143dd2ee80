#include "stats/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace schedbench::stats::scaling_test {

namespace {

// Throughputs of the universal scalability law with `noise` of each block, 1000 for one worker.
std::vector<ScalingPoint> Curve(const std::vector<double>& workers, double sigma, double kappa,
                                double noise, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> error;  // of deviation 1; one of 0 is not allowed
  std::vector<ScalingPoint> points;
  for (const double n : workers) {
    ScalingPoint point{.workers = n, .throughput = {}};
    for (std::size_t i = 0; i < 20; ++i) {
      const double exact = 1000 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
      point.throughput.push_back(exact * (1 + noise * error(random)));
    }
    points.push_back(std::move(point));
  }
  return points;
}

TEST(Scaling, RecoversTheParametersOfAnExactCurve) {
  const ScalingFits fits = FitScaling(Curve({1, 2, 4, 8, 16}, 0.05, 0.002, 0), 0.95, 1, 10);
  ASSERT_TRUE(fits.universal);
  EXPECT_NEAR(fits.universal->sigma.value, 0.05, 1e-9);
  EXPECT_NEAR(fits.universal->kappa.value, 0.002, 1e-9);
  EXPECT_NEAR(*fits.universal->peak, std::sqrt(0.95 / 0.002), 1e-3);
  EXPECT_NEAR(Predicted(*fits.universal, 8), 1000 * 8 / (1 + 0.05 * 7 + 0.002 * 56), 1e-6);
  EXPECT_NEAR(FitScaling(Curve({1, 2, 4}, 0.2, 0, 0), 0.95, 1, 10).amdahl->serial_share.value, 0.2,
              1e-9);
}

TEST(Scaling, HasIntervalsThatContainThePlantedParametersAboutAsOftenAsTheirLevel) {
  int sigma = 0;
  int kappa = 0;
  constexpr int kCurves = 60;
  for (int seed = 1; seed <= kCurves; ++seed) {
    const auto fit =
        FitScaling(Curve({1, 2, 3, 4, 6, 8}, 0.1, 0.01, 0.05, seed), 0.95, 1, 200).universal;
    ASSERT_TRUE(fit);
    sigma += fit->sigma.low <= 0.1 && 0.1 <= fit->sigma.high ? 1 : 0;
    kappa += fit->kappa.low <= 0.01 && 0.01 <= fit->kappa.high ? 1 : 0;
    EXPECT_LT(fit->kappa.high - fit->kappa.low, 0.02);
  }
  EXPECT_GE(sigma, 52);
  EXPECT_GE(kappa, 52);
}

TEST(Scaling, HasNoLawThatThePointsDoNotDetermine) {
  const ScalingFits one = FitScaling(Curve({4, 4}, 0.1, 0, 0), 0.95, 1, 10);
  EXPECT_FALSE(one.amdahl);
  const ScalingFits two = FitScaling(Curve({1, 2}, 0.1, 0.01, 0), 0.95, 1, 10);
  EXPECT_TRUE(two.amdahl);
  EXPECT_FALSE(two.universal);
}

TEST(Scaling, HasNoNegativeParameters) {
  // Faster than linear: both laws allow at most linear.
  std::vector<ScalingPoint> points = Curve({1, 2, 4}, 0, 0, 0);
  points.back().throughput.assign(20, 6000);
  const ScalingFits fits = FitScaling(points, 0.95, 1, 10);
  EXPECT_EQ(fits.amdahl->serial_share.value, 0);
  EXPECT_EQ(fits.universal->sigma.value, 0);
  EXPECT_EQ(fits.universal->kappa.value, 0);
  EXPECT_FALSE(fits.universal->peak);
}

}  // namespace

}  // namespace schedbench::stats::scaling_test
