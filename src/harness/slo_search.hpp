#pragma once

#include "harness/live_run.hpp"
#include "harness/load_search.hpp"
#include "harness/plan.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// An upper limit of a latency, a service level objective: "p99.9<200us".
struct LatencyLimit {
  std::string text;    // as the user gave it
  std::size_t metric;  // index in MetricsOf(workload)
  double below_ns;
};

// A tested rate.
struct LoadProbe {
  double rate;
  std::vector<Round> rounds;
  std::vector<SummaryRow> summary;
  std::optional<double> backlog_growth{};  // median; none where rounds are too small to say
  bool saturated = false;  // then the rate does not hold, whatever the latencies are
  bool holds = false;
};

// Judges a rate by the median of each metric over its rounds, so that one disturbed round does not
// count. Requires: the workload has an open load.
LoadProbe JudgeRate(const registry::WorkloadEntry& workload,
                    const std::vector<LatencyLimit>& limits, double rate,
                    const std::vector<Round>& rounds);

// The data after a whole or interrupted search, for reports, with registry::ThisBuild().
struct SloResult {
  RunPlan plan;  // plan of the first rate
  std::vector<LatencyLimit> limits;
  LoadRange range;
  std::vector<LoadProbe> probes{};  // in the order of testing
  // One for each finished search. The first search that does not find a limit is the last one.
  std::vector<LoadBounds> searches{};
  Disturbance disturbance;  // what else ran on the machine during the searches
  bool complete = false;
  std::string failure;         // why it is not complete; "" when it is
  std::string diagnosis;       // lines that explain a hang; "" without a hang
  std::string perturbed = "";  // what disturbed it on purpose; "" for nothing
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// Returns what all searches found together: `holds` is the smallest of their limits, `fails` the
// largest. None before the first search has ended.
std::optional<LoadBounds> BoundsOf(const SloResult& result);

// Returns whether the searches found equal limits within kRepeatable.
bool IsRepeatable(const SloResult& result);

// The greatest allowed ratio of the largest failing rate to the smallest holding one of all
// searches. Beyond it a limit is not reliable. Arbitrary: a quiet machine stays below 1.1.
inline constexpr double kRepeatable = 1.25;

// Looks for the largest rate of an open load at which all limits hold and the load is kept. Each
// rate gets a fresh scheduler, the rounds of the plan and equal requests. Searches kSearches times,
// each time from the previous rate, because a single search ends even where latency depends on
// chance.
class SloSearch {
 public:
  static constexpr std::size_t kSearches = 3;

  // Requires: the workload has an open load.
  SloSearch(const RunPlan& plan, std::vector<LatencyLimit> limits);

  SloSearch(const SloSearch&) = delete;
  SloSearch& operator=(const SloSearch&) = delete;

  using OnProbe = std::function<void(const LoadProbe&)>;

  // Runs the search, as the body of a RunInterruptibly. Returns "" or what was wrong. Throws
  // SetupError.
  std::string Execute(const OnProbe& on_probe, WatchPoint& watch);

  // Returns what is known by now. Any thread may call it at any time.
  SloResult Take(const Outcome& outcome) const;

 private:
  const RunPlan plan_;
  const std::vector<LatencyLimit> limits_;
  const LoadRange range_;
  mutable platform::Mutex mutex_;
  std::vector<LoadProbe> probes_;     // guarded by mutex_
  std::vector<LoadBounds> searches_;  // guarded by mutex_
};

}  // namespace schedbench::harness
