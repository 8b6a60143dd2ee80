#pragma once

#include "harness/audit/time_split.hpp"
#include "harness/compare/analysis.hpp"
#include "harness/compare/plan.hpp"
#include "harness/experiment/data.hpp"
#include "platform/machine/machine_info.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// The use of the time of one scheduler's workers.
struct AuditedScheduler {
  std::string name;
  TimeSplit split;
  std::uint32_t workers = 0;  // 0: threads come and go
  std::uint32_t rounds = 0;
  std::uint64_t wall_ns = 0;  // wall time of the rounds
  std::uint64_t samples = 0;
  std::uint64_t looks = 0;  // number of checks what workers were blocked in
};

// The measurements of a benchmark: the split of each scheduler's time, and the throughputs.
struct AuditResult {
  const registry::WorkloadEntry* workload = nullptr;
  std::string workload_text;  // as the user typed it: "single_spawner:preset=full"
  std::string flags;          // flags that advice repeats: " --workers 4"
  std::vector<AuditedScheduler> schedulers;
  ComparisonPlan plan;    // comparison of all schedulers; no blocks: they were not compared
  ExperimentData data;    // data of `plan`
  Comparison comparison;  // comparison of throughput
  platform::MachineInfo machine;
  bool complete = true;        // false: interrupted, or a run has failed
  std::string perturbed = "";  // what disturbed it on purpose; "" for nothing
  std::vector<std::string> command;
};

// The largest difference, preferably a proven one, of throughput to the first scheduler.
struct LargestDifference {
  std::string name;     // the other scheduler
  double change = 0;    // change of its median ratio: +0.05
  double low = 0;       // lower end of its interval
  double high = 0;      // upper end of its interval
  bool proven = false;  // the interval excludes 0

  bool operator==(const LargestDifference&) const = default;
};

// Returns the largest difference; none if no ratio has an interval.
std::optional<LargestDifference> DifferenceOf(const AuditResult& result);

// A way to measure more of the scheduler: advice and a command that follows it.
struct Fairer {
  std::string advice;
  std::string command;

  bool operator==(const Fairer&) const = default;
};

// Returns a fairer version of the benchmark; none if the scheduler dominates already.
std::optional<Fairer> FairerVersion(const AuditResult& result);

// Returns the conclusions in sentences.
std::vector<std::string> Conclusions(const AuditResult& result);

}  // namespace schedbench::harness
