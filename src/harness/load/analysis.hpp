#pragma once

#include "harness/load/load.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedbench::harness {

// Percentiles of some times in nanoseconds. None where there are too few values (metrics::SamplesFor). Infinite where they depend on
// a request without an answer.
struct TimeQuantiles {
  std::optional<double> mean;
  std::optional<double> p50;
  std::optional<double> p90;
  std::optional<double> p99;
  std::optional<double> p99_9;
  std::optional<double> max;
};

// What one generator has measured, or all together.
struct LoadSummary {
  std::uint64_t requests = 0;
  std::uint64_t unanswered = 0;
  double asked = 0;  // requests per second, of the generators with a result
  // Requests with an answer, per second until the last answer; if some have none, at least until all were due.
  double reached = 0;
  TimeQuantiles latency;  // from when a request was due until its answer; infinite without one
  TimeQuantiles
      delay;  // from when a request was due until it began to be sent: part of the latency
};

struct LoadAnalysis {
  std::optional<LoadSummary> all;                      // none: no generator has a result
  std::vector<std::optional<LoadSummary>> generators;  // none: a hole
};

// Returns the values of all samples in one. Each sample ascends, and so does the result: a percentile of it is one of the union.
std::vector<std::uint64_t> Merged(const std::vector<std::span<const std::uint64_t>>& samples);

// Returns the percentiles, those of stats::Quantile(), of an ascending sample and `infinite` more values that are infinite.
TimeQuantiles QuantilesOf(std::span<const std::uint64_t> sample, std::uint64_t infinite = 0);

// Pure.
LoadAnalysis AnalyseLoad(const LoadPlan& plan, const LoadData& data);

// Whether requests wait so long before they are sent that the latencies are not those of the server alone: the 99th percentile of the
// delay is above this share of that of the latency. The generator has too little CPU, or its connections wait for answers.
inline constexpr double kDelayShare = 0.2;
bool IsDelayed(const LoadSummary& summary);

}  // namespace schedbench::harness
