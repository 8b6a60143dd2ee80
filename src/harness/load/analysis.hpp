#pragma once

#include "harness/load/load.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace schedbench::harness {

// Percentiles of times in nanoseconds. None where there are too few values (metrics::SamplesFor).
// Infinite where they depend on a request without an answer.
struct TimeQuantiles {
  std::optional<double> mean;
  std::optional<double> p50;
  std::optional<double> p90;
  std::optional<double> p99;
  std::optional<double> p99_9;
  std::optional<double> max;
};

// The results of one generator, or of all together.
struct LoadSummary {
  std::uint64_t requests = 0;
  std::uint64_t unanswered = 0;
  double asked = 0;  // requests per second of the generators with a result
  // Answers per second until the last one; if one is missing, at least until all were due.
  double reached = 0;
  TimeQuantiles latency;  // from the due time until the answer; infinite without an answer
  TimeQuantiles delay;    // from the due time until the send began: part of the latency
};

struct LoadAnalysis {
  std::optional<LoadSummary> all;                      // none: no generator has a result
  std::vector<std::optional<LoadSummary>> generators;  // none: a hole
};

// Analyses the data of a load. Pure.
LoadAnalysis AnalyseLoad(const LoadPlan& plan, const LoadData& data);

// Above this ratio of the 99th percentile of the delay to that of the latency, requests wait so
// long before they are sent that the latencies are not those of the server alone. The generator has
// too little CPU, or its connections wait for answers.
inline constexpr double kDelayShare = 0.2;
bool IsDelayed(const LoadSummary& summary);

}  // namespace schedbench::harness
