#include "stats/performance_profile.hpp"

#include "base/vector_of.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace schedbench::stats {

namespace {

// Returns this cost divided by the least cost; infinite for a failure.
double FactorOf(const std::optional<double>& cost, double least) {
  if (!cost) {
    return HUGE_VAL;
  }
  return *cost == least ? 1 : *cost / least;
}

std::vector<ProfileStep> StepsOf(std::vector<double> factors) {
  std::ranges::sort(factors);
  const auto problems = static_cast<double>(factors.size());
  std::vector<ProfileStep> steps{{.factor = 1, .share = 0}};
  for (std::size_t i = 0; i < factors.size() && std::isfinite(factors[i]); ++i) {
    if (factors[i] > steps.back().factor) {
      steps.push_back({.factor = factors[i], .share = 0});
    }
    steps.back().share = static_cast<double>(i + 1) / problems;
  }
  return steps;
}

}  // namespace

std::vector<std::vector<ProfileStep>> PerformanceProfiles(const ProblemCosts& costs) {
  std::vector<std::vector<double>> factors(costs.front().size());
  for (const auto& of_problem : costs) {
    double least = HUGE_VAL;
    for (const std::optional<double>& cost : of_problem) {
      least = std::min(least, cost.value_or(HUGE_VAL));
    }
    for (std::size_t i = 0; i < of_problem.size(); ++i) {
      factors[i].push_back(FactorOf(of_problem[i], least));
    }
  }
  return VectorOf(factors, [](const auto& of_competitor) { return StepsOf(of_competitor); });
}

double ShareWithin(const std::vector<ProfileStep>& steps, double factor) {
  const auto after = std::ranges::upper_bound(steps, factor, {}, &ProfileStep::factor);
  return after == steps.begin() ? 0 : std::prev(after)->share;
}

}  // namespace schedbench::stats
