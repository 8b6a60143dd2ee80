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

// Where the time of the workers of one scheduler went.
struct AuditedScheduler {
  std::string name;
  TimeSplit split;
  std::uint32_t workers = 0;  // 0: threads come and go
  std::uint32_t rounds = 0;
  std::uint64_t wall_ns = 0;  // of the rounds
  std::uint64_t samples = 0;
  std::uint64_t looks = 0;  // at what workers were blocked in
};

// What a benchmark measures: the split of each scheduler's time, and whether their throughput differs.
struct AuditResult {
  const registry::WorkloadEntry* workload = nullptr;
  std::string workload_text;  // as it was typed: "single_spawner:preset=full"
  std::string flags;          // that advice repeats: " --workers 4"
  std::vector<AuditedScheduler> schedulers;
  ComparisonPlan plan;    // of all of them; no blocks: they were not compared
  ExperimentData data;    // by its plan
  Comparison comparison;  // likewise, of throughput
  platform::MachineInfo machine;
  bool complete = true;        // false: interrupted, or a run has failed
  std::string perturbed = "";  // what disturbed it on purpose; "" for nothing
  std::vector<std::string> command;
};

// The largest difference of throughput between the first scheduler and another one; of the proven ones, if there are any.
struct LargestDifference {
  std::string name;     // of the other one
  double change = 0;    // of its median ratio: +0.05
  double low = 0;       // of its interval
  double high = 0;      // likewise
  bool proven = false;  // the interval excludes 0

  bool operator==(const LargestDifference&) const = default;
};

// None if no ratio has an interval.
std::optional<LargestDifference> DifferenceOf(const AuditResult& result);

// A way to measure more of the scheduler: an advice and a command that follows it.
struct Fairer {
  std::string advice;
  std::string command;

  bool operator==(const Fairer&) const = default;
};

// The use that took most of the time of all schedulers together, and its share.
struct Dominant {
  const TimeUseInfo* use;
  double share;
};
Dominant DominantOf(const AuditResult& result);

// None if the scheduler dominates already.
std::optional<Fairer> FairerVersion(const AuditResult& result);

// The conclusions in sentences.
std::vector<std::string> Conclusions(const AuditResult& result);

}  // namespace schedbench::harness
