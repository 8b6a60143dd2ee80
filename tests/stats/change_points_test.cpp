#include "stats/change_points.hpp"

#include "tests/stats/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace schedbench::stats {

namespace {

constexpr int kSeries = 1'000;
constexpr double kAlpha = 0.01;

// Returns in how many of the series there is any change.
template <typename Draw>
int Alarms(Draw draw, double alpha) {
  std::mt19937_64 random(1);
  int alarms = 0;
  for (int i = 0; i < kSeries; ++i) {
    alarms += ChangePoints(draw(random), alpha, static_cast<std::uint64_t>(i)).empty() ? 0 : 1;
  }
  return alarms;
}

// Beyond it lies 1 of 1,000 binomial numbers of 1,000 series at 1 %: the mean and 3.1 deviations.
constexpr int kMostAtOnePercent = 20;
constexpr int kMostAtTenPercent = 130;  // the same at 10 %

TEST(ChangePoints, RaiseFalseAlarmsAtTheirRateInNormalSeries) {
  const auto normal = [](std::mt19937_64& random) { return DriftingSample(100, 0, random); };
  EXPECT_LE(Alarms(normal, kAlpha), kMostAtOnePercent);
  const int at_ten = Alarms(normal, 0.1);
  EXPECT_LE(at_ten, kMostAtTenPercent);
  EXPECT_GE(at_ten, 70) << "the test is exact, not only an upper bound";
}

TEST(ChangePoints, RaiseFalseAlarmsAtTheirRateInSkewedSeries) {
  const auto skewed = [](std::mt19937_64& random) { return SkewedSample(40, random); };
  EXPECT_LE(Alarms(skewed, kAlpha), kMostAtOnePercent);
  EXPECT_LE(Alarms(skewed, 0.1), kMostAtTenPercent);
}

TEST(ChangePoints, RaiseFalseAlarmsAtTheirRateInSeriesWithTies) {
  const auto tied = [](std::mt19937_64& random) {
    std::vector<double> series = DriftingSample(60, 0, random);
    for (double& value : series) {
      value = std::round(value);
    }
    return series;
  };
  EXPECT_LE(Alarms(tied, kAlpha), kMostAtOnePercent);
  EXPECT_LE(Alarms(tied, 0.1), kMostAtTenPercent);
}

// Values with a tenth of outliers of up to a hundred times the noise.
TEST(ChangePoints, RaiseFalseAlarmsAtTheirRateInSeriesWithOutliers) {
  const auto spiky = [](std::mt19937_64& random) {
    std::vector<double> series = DriftingSample(50, 0, random);
    for (double& value : series) {
      value *= random() % 10 == 0 ? 100 : 1;
    }
    return series;
  };
  EXPECT_LE(Alarms(spiky, kAlpha), kMostAtOnePercent);
}

TEST(ChangePoints, AreNotExactInSeriesThatDrift) {
  const auto drifting = [](std::mt19937_64& random) { return DriftingSample(100, 0.7, random); };
  EXPECT_GT(Alarms(drifting, kAlpha), 100) << "then the report need not warn";
}

// Returns the share of series in which there is exactly one change, at most one place from where it
// was planted.
double FoundWithinOne(std::size_t n, std::size_t at, double shift, double noise) {
  std::mt19937_64 random(2);
  int found = 0;
  constexpr int kPlanted = 400;
  for (int i = 0; i < kPlanted; ++i) {
    std::vector<double> series = DriftingSample(n, 0, random);
    for (std::size_t place = 0; place < n; ++place) {
      series[place] = (1 + noise * series[place]) * (place >= at ? 1 + shift : 1);
    }
    const auto changes = ChangePoints(series, kAlpha, static_cast<std::uint64_t>(i));
    found += changes.size() == 1 && changes[0].at + 1 >= at && changes[0].at <= at + 1 ? 1 : 0;
  }
  return static_cast<double>(found) / kPlanted;
}

TEST(ChangePoints, FindAPlantedShiftOfFivePercentInOnePercentOfNoise) {
  EXPECT_GE(FoundWithinOne(100, 50, 0.05, 0.01), 0.95);
  EXPECT_GE(FoundWithinOne(100, 20, -0.05, 0.01), 0.95);
  EXPECT_GE(FoundWithinOne(100, 95, 0.05, 0.01), 0.95);
  EXPECT_GE(FoundWithinOne(20, 12, 0.05, 0.01), 0.95);
}

TEST(ChangePoints, FindTwoChangesInTheirOrder) {
  std::mt19937_64 random(3);
  std::vector<double> series = DriftingSample(90, 0, random);
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i] += i >= 60 ? 0 : i >= 30 ? 10 : 0;
  }
  const auto changes = ChangePoints(series, kAlpha, 1);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].at, 30U);
  EXPECT_EQ(changes[1].at, 60U);
}

TEST(ChangePoints, AreTheSameForTheSameSeed) {
  std::mt19937_64 random(4);
  const std::vector<double> series = DriftingSample(100, 0.5, random);
  const auto first = ChangePoints(series, 0.1, 7);
  const auto second = ChangePoints(series, 0.1, 7);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].at, second[i].at);
    EXPECT_EQ(first[i].p, second[i].p);
  }
}

TEST(ChangePoints, AreNoneInSeriesThatAreTooShortOrConstant) {
  EXPECT_TRUE(ChangePoints({}, 0.5, 1).empty());
  EXPECT_TRUE(ChangePoints(std::vector<double>{1}, 0.5, 1).empty());
  EXPECT_TRUE(ChangePoints(std::vector<double>{1, 1, 9}, 0.5, 1).empty());
  EXPECT_TRUE(ChangePoints(std::vector<double>(50, 3.0), 0.5, 1).empty());
}

// The least series in which a perfect step in the middle is found.
TEST(ChangePoints, NeedAsManyValuesAsTheSmallestSeriesHas) {
  EXPECT_EQ(SmallestSeriesWithChange(0.01), 10U);
  EXPECT_EQ(SmallestSeriesWithChange(0.05), 8U);
  for (const std::size_t n : {9U, 10U}) {
    std::vector<double> series;
    for (std::size_t i = 0; i < n; ++i) {
      series.push_back(static_cast<double>(i) + (i < n / 2 ? 0 : 100));
    }
    EXPECT_EQ(ChangePoints(series, 0.01, 1).size(), n < 10 ? 0U : 1U) << n;
  }
}

}  // namespace

}  // namespace schedbench::stats
