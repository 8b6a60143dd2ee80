#pragma once

#include <optional>
#include <vector>

// Performance profiles: Dolan & Moré, "Benchmarking optimization software with performance
// profiles" (Mathematical Programming 91, 2002). Pure functions; thread-safe.

namespace schedbench::stats {

// What each competitor needs for each problem, [problem][competitor], by index: a time, or anything
// else from 0 of which less is better. None: it has failed.
using ProblemCosts = std::vector<std::vector<std::optional<double>>>;

// From this factor on the competitor is within the factor of the best on this share of the
// problems.
struct ProfileStep {
  double factor;  // 1 or more
  double share;   // 0 to 1

  bool operator==(const ProfileStep&) const = default;
};

// Returns for each competitor its steps, by ascending factor. The first one is at the factor 1: the
// share of problems on which no other one is better. The last one has the share of problems that it
// solves at all: where it has failed it is within no factor. A problem that none of them solves
// counts. Requires: there is a problem, and each has the same number of competitors.
std::vector<std::vector<ProfileStep>> PerformanceProfiles(const ProblemCosts& costs);

// Returns the share of problems on which the competitor with these steps is within the factor.
// Requires: steps of PerformanceProfiles(), factor >= 1.
double ShareWithin(const std::vector<ProfileStep>& steps, double factor);

}  // namespace schedbench::stats
