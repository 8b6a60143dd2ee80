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

// A limit that a latency is to stay below: a service level objective, "p99.9<200us".
struct LatencyLimit {
  std::string text;    // as the user gave it
  std::size_t metric;  // in MetricsOf(workload)
  double below_ns;
};

// A rate that was tried.
struct LoadProbe {
  double rate;
  std::vector<Round> rounds;
  std::vector<SummaryRow> summary;
  std::optional<double> backlog_growth;  // median; none where rounds are too small to say
  bool saturated = false;                // and so no rate to hold, whatever the latencies are
  bool holds = false;
};

// Judges a rate by its rounds: the median of each metric over the rounds counts, so that most of the rounds must agree and
// one that was disturbed does not. Requires: the workload has an open load.
LoadProbe JudgeRate(const registry::WorkloadEntry& workload,
                    const std::vector<LatencyLimit>& limits, double rate,
                    const std::vector<Round>& rounds);

// All that is known after a search, whole or cut short. Reports are made of this and of registry::ThisBuild().
struct SloResult {
  RunPlan plan;  // of the first rate
  std::vector<LatencyLimit> limits;
  LoadRange range;
  std::vector<LoadProbe> probes;  // in the order in which they were tried
  // One for each finished search. The first one that does not find a limit is the last one.
  std::vector<LoadBounds> searches;
  // What else ran on the machine during the searches.
  Disturbance disturbance;
  bool complete = false;
  std::string failure;         // why it is not complete; "" when it is
  std::string diagnosis;       // lines that explain a hang; "" for all others
  std::string perturbed = "";  // what disturbed it on purpose; "" for nothing
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// What all searches found together: holds at the smallest of their limits and fails at the largest. Nothing before the first
// search has ended.
std::optional<LoadBounds> BoundsOf(const SloResult& result);

// Whether the searches found the same limit within kRepeatable.
bool IsRepeatable(const SloResult& result);

// The largest failing rate by the smallest holding one of all searches. Beyond it, one of them would not be a limit that a user
// can rely on. Arbitrary: a quiet machine stays below 1.1.
inline constexpr double kRepeatable = 1.25;

// Looks for the largest rate of an open load at which all limits hold and the load is kept. Each rate gets a fresh scheduler
// and the rounds of the plan, with the same requests. Searches kSearches times, each time from the rate that the search before
// found: a single search ends at some rate also when the latency there depends on chance.
class SloSearch {
 public:
  static constexpr std::size_t kSearches = 3;

  // Requires: the workload has an open load.
  SloSearch(const RunPlan& plan, std::vector<LatencyLimit> limits);

  SloSearch(const SloSearch&) = delete;
  SloSearch& operator=(const SloSearch&) = delete;

  using OnProbe = std::function<void(const LoadProbe&)>;

  // Runs it to its end; the body of a RunInterruptibly. Returns "" or what was wrong. Throws SetupError.
  std::string Execute(const OnProbe& on_probe, WatchPoint& watch);

  // Returns what is known by now. Any thread, at any time.
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
