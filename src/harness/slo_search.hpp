#pragma once

#include "harness/live_run.hpp"
#include "harness/load_search.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"
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
  std::vector<LoadProbe> probes;     // in the order in which they were tried
  std::optional<LoadBounds> bounds;  // none while the search runs
  bool complete = false;
  std::string failure;         // why it is not complete; "" when it is
  std::string diagnosis;       // lines that explain a hang; "" for all others
  std::string perturbed = "";  // what disturbed it on purpose; "" for nothing
  platform::MachineInfo machine;
  std::vector<std::string> command;
};

// Looks for the largest rate of an open load at which all limits hold and the load is kept. Each rate gets a fresh scheduler
// and the rounds of the plan, with the same requests.
class SloSearch {
 public:
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
  std::optional<LoadBounds> bounds_;  // guarded by mutex_
};

}  // namespace schedbench::harness
