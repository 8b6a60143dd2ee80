#include "stats/performance_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace schedbench::stats::performance_profile_test {
namespace {

using Profile = std::vector<ProfileStep>;

// Random costs over some powers of ten, of which a tenth are failures.
ProblemCosts RandomCosts(std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-3, 3);
  std::bernoulli_distribution fails(0.1);
  ProblemCosts costs(1 + random() % 30, std::vector<std::optional<double>>(1 + random() % 5));
  for (auto& of_problem : costs) {
    for (auto& cost : of_problem) {
      cost = fails(random) ? std::nullopt : std::optional(std::pow(10, exponent(random)));
    }
  }
  return costs;
}

TEST(PerformanceProfiles, CountTheProblemsWithinAFactorOfTheBest) {
  const auto profiles =
      PerformanceProfiles({{1.0, 2.0}, {6.0, 2.0}, {5.0, 5.0}, {1.0, std::nullopt}});
  EXPECT_EQ(profiles[0], (Profile{{1, 0.75}, {3, 1}}));
  EXPECT_EQ(profiles[1], (Profile{{1, 0.5}, {2, 0.75}}));
  EXPECT_EQ(ShareWithin(profiles[0], 1), 0.75);
  EXPECT_EQ(ShareWithin(profiles[0], 2.9), 0.75);
  EXPECT_EQ(ShareWithin(profiles[0], 3), 1);
  EXPECT_EQ(ShareWithin(profiles[1], 1000), 0.75);
}

TEST(PerformanceProfiles, OfOneThatSolvesNothingStayAt0) {
  const auto profiles = PerformanceProfiles({{std::nullopt, 2.0}, {std::nullopt, std::nullopt}});
  EXPECT_EQ(profiles[0], (Profile{{1, 0}}));
  EXPECT_EQ(profiles[1], (Profile{{1, 0.5}}));
}

TEST(PerformanceProfiles, HaveARatioAlsoWhereTheBestNeedsNothing) {
  const auto profiles = PerformanceProfiles({{0.0, 2.0, 0.0}});
  EXPECT_EQ(profiles[0], (Profile{{1, 1}}));
  EXPECT_EQ(profiles[1], (Profile{{1, 0}}));
  EXPECT_EQ(profiles[2], (Profile{{1, 1}}));
}

TEST(PerformanceProfiles, RiseToTheShareThatDoesNotFail) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const ProblemCosts costs = RandomCosts(random);
    const auto profiles = PerformanceProfiles(costs);
    double best = 0;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const Profile& steps = profiles[i];
      EXPECT_EQ(steps.front().factor, 1);
      for (std::size_t step = 1; step < steps.size(); ++step) {
        EXPECT_LT(steps[step - 1].factor, steps[step].factor);
        EXPECT_LT(steps[step - 1].share, steps[step].share);
      }
      const auto solved = std::ranges::count_if(
          costs, [i](const auto& of_problem) { return of_problem[i].has_value(); });
      EXPECT_DOUBLE_EQ(steps.back().share,
                       static_cast<double>(solved) / static_cast<double>(costs.size()));
      best += steps.front().share;
    }
    const auto decided = std::ranges::count_if(costs, [](const auto& of_problem) {
      return std::ranges::any_of(of_problem, [](const auto& cost) { return cost.has_value(); });
    });
    // Random costs are never equal: each problem has one best.
    EXPECT_NEAR(best, static_cast<double>(decided) / static_cast<double>(costs.size()), 1e-9);
  }
}

TEST(PerformanceProfiles, DoNotDependOnTheUnitOfAProblem) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    ProblemCosts costs = RandomCosts(random);
    const auto before = PerformanceProfiles(costs);
    for (auto& of_problem : costs) {
      const double unit = trial % 2 == 0 ? 1024 : 0.125;  // exact
      for (auto& cost : of_problem) {
        cost = cost ? std::optional(unit * *cost) : std::nullopt;
      }
    }
    EXPECT_EQ(PerformanceProfiles(costs), before);
  }
}

TEST(PerformanceProfiles, DoNotDependOnTheOrderOfTheProblems) {
  std::mt19937_64 random(3);
  ProblemCosts costs = RandomCosts(random);
  const auto before = PerformanceProfiles(costs);
  std::ranges::shuffle(costs, random);
  EXPECT_EQ(PerformanceProfiles(costs), before);
}

}  // namespace
}  // namespace schedbench::stats::performance_profile_test
