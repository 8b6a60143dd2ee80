#pragma once

#include "harness/result.hpp"
#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// The record of a measured round.
struct MeasuredRound {
  RoundReading reading;
  std::vector<metrics::MetricValues> workers;  // counted in this round
  metrics::MetricValues pool;              // counted in this round, for the scheduler as a whole
  std::uint64_t external_submissions = 0;  // in this round
  std::uint64_t external_spawns = 0;       // in this round
  std::uint64_t inline_calls = 0;          // IWorkload::InlineCalls()
};

// Collects the rounds of a run. Any thread may take the result of the finished rounds at any time,
// so an interrupted run can be read while its thread is still in a round.
class Recorder {
 public:
  explicit Recorder(const RunPlan& plan);

  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Called before the first round.
  void SetEffectiveConfig(const config::Settings& config);

  void Add(const MeasuredRound& round);

  // Returns a result of the rounds so far. `failure` says why rounds are missing; "" if none are.
  RunResult Take(std::string failure) const;

 private:
  mutable platform::Mutex mutex_;
  RunResult result_;  // guarded by mutex_
};

}  // namespace schedbench::harness
