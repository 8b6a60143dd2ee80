#pragma once

#include "harness/result.hpp"
#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// What a measured round leaves behind.
struct MeasuredRound {
  RoundReading reading;
  std::vector<metrics::MetricValues> workers;  // counted in this round
  metrics::MetricValues pool;                  // of the scheduler as a whole, likewise
  std::uint64_t external_submissions = 0;      // in this round
  std::uint64_t external_spawns = 0;           // in this round
  std::uint64_t inline_calls = 0;              // IWorkload::InlineCalls()
};

// Collects the rounds of a run. Any thread may take the result of what is finished at any time: an
// interrupted run is read by the thread that was interrupted, while the other one is still in a round.
class Recorder {
 public:
  explicit Recorder(const RunPlan& plan);

  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Before the first round.
  void SetEffectiveConfig(const config::Settings& config);

  void Add(const MeasuredRound& round);

  // Returns a result of the rounds so far; `failure` says why they are not all, "" that they are.
  RunResult Take(std::string failure) const;

 private:
  mutable platform::Mutex mutex_;
  RunResult result_;  // guarded by mutex_
};

}  // namespace schedbench::harness
