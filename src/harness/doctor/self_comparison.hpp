#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/doctor/findings.hpp"

#include <cstddef>
#include <optional>
#include <string>

// A comparison of a scheduler with itself (A/A): what it shows is the machine's. Pure functions; thread-safe.

namespace schedbench::harness {

struct SelfComparison {
  std::string scheduler;
  std::string workload;
  std::size_t blocks = 0;                     // that were measured to their end
  std::optional<stats::RatioEstimate> ratio;  // of the throughputs; the truth is 1
  double level = 0;                           // of its interval
  bool dependent = false;  // blocks look like their neighbours: the interval is wider for it
  std::string missing;     // why there is no ratio; "" where there is
};

// Returns what the data of two equal alternatives under one workload show.
SelfComparison Conclude(const ComparisonPlan& plan, const ExperimentData& data);

// Returns the smallest difference that the interval leaves to be seen: 0.01 where it reaches from 0.995 to 1.01.
double Resolution(const stats::RatioEstimate& ratio);

Finding Judge(const SelfComparison& self);

}  // namespace schedbench::harness
