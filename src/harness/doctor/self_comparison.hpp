#pragma once

#include "harness/compare/analysis.hpp"
#include "harness/doctor/findings.hpp"

#include <cstddef>
#include <optional>
#include <string>

// A scheduler compared with itself (A/A): differences come from the machine. Pure; thread-safe.

namespace schedbench::harness {

struct SelfComparison {
  std::string scheduler;
  std::string workload;
  std::size_t blocks = 0;                       // blocks that were measured to their end
  std::optional<stats::RatioEstimate> ratio{};  // ratio of the throughputs; the truth is 1
  double level = 0;                             // level of its interval
  bool dependent = false;  // blocks look like their neighbours: the interval is wider for it
  std::string missing{};   // why there is no ratio; "" where there is
};

// Returns what the data of two equal alternatives under one workload show.
SelfComparison Conclude(const ComparisonPlan& plan, const ExperimentData& data);

// Returns the smallest difference that the interval lets a comparison see: 0.01 for 0.995 to 1.01.
double Resolution(const stats::RatioEstimate& ratio);

Finding Judge(const SelfComparison& self);

}  // namespace schedbench::harness
