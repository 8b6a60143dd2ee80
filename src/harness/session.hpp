#pragma once

#include "harness/plan.hpp"
#include "harness/recorder.hpp"
#include "harness/watch_point.hpp"
#include "platform/machine/hardware_counters.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace schedbench::harness {

// The machine or the user's numbers do not allow the run: threads, memory.
class SetupError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A round whose answer is wrong, or whose workload threw an exception.
class RoundFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A scheduler and a workload, made by a plan and measured a round at a time. After a failed round
// both and their threads stay as they are, for a process that ends without unwinding: a scheduler
// with a wrong answer may have lost a task, and may never end. One thread uses it.
class Session {
 public:
  // Makes both. `watch` receives what the session is doing and outlives it. Throws SetupError.
  Session(const RunPlan& plan, WatchPoint& watch);
  // Ends both unless a round failed. After an exception between rounds the process may return from
  // main(), and then no worker may run.
  ~Session();

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Returns the scheduler. Requires: not closed.
  registry::IScheduler& Scheduler() noexcept {
    return *scheduler_;
  }

  // Returns the config of the plan with the settings in effect.
  const config::Settings& EffectiveConfig() const noexcept {
    return effective_;
  }

  // Returns the workload. Requires: not closed.
  registry::IWorkload& Workload() noexcept {
    return *workload_;
  }

  // Does a round and checks its answer. `name`: "round 3". Throws RoundFailure, std::bad_alloc.
  MeasuredRound Measure(const std::string& name);

  // Ends both, the scheduler first. After that only the destructor may be called.
  void Close();

 private:
  const registry::WorkloadEntry& entry_;
  WatchPoint& watch_;
  const platform::HardwareCounters hardware_;  // made before the workers, which inherit it
  config::Settings effective_;
  std::unique_ptr<registry::IWorkload> workload_;
  std::unique_ptr<registry::IScheduler> scheduler_;
  bool in_round_ = false;  // a round has begun, and not ended well
};

// Returns whether the calling thread is making the scheduler or the workload of a session. If
// memory runs out there, an exception describes the cause best.
bool IsSettingUp() noexcept;

}  // namespace schedbench::harness
