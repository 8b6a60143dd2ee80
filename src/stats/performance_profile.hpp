#pragma once

#include <optional>
#include <vector>

// Performance profiles: Dolan & Moré, "Benchmarking optimization software with performance
// profiles" (Mathematical Programming 91, 2002). Pure functions; thread-safe.

namespace schedbench::stats {

// The costs of each competitor for each problem, [problem][competitor], by index: times or other
// values from 0 of which less is better. An empty one is a failure.
using ProblemCosts = std::vector<std::vector<std::optional<double>>>;

// From this factor on the competitor is within the factor of the best on this share of problems.
struct ProfileStep {
  double factor;  // 1 or more
  double share;   // 0 to 1

  bool operator==(const ProfileStep&) const = default;
};

// Returns for each competitor its steps, by ascending factor. The first one is at the factor 1: the
// share of problems on which no other one is better. The last one has the share of problems that it
// solves at all: a failure is within no factor. Problems that none of them solves count. Requires:
// at least one problem, and the same number of competitors for each.
std::vector<std::vector<ProfileStep>> PerformanceProfiles(const ProblemCosts& costs);

// Returns the share of problems on which the competitor with these steps is within the factor.
// Requires: steps of PerformanceProfiles(), factor >= 1.
double ShareWithin(const std::vector<ProfileStep>& steps, double factor);

}  // namespace schedbench::stats
