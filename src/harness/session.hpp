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

// A scheduler and a workload, made by a plan and measured a round at a time. After a round that failed, both and their threads
// are left as they are, for a process that ends without unwinding: a scheduler that gave a wrong answer may have lost a task, and to wait for its
// end may take forever. Used by one thread.
class Session {
 public:
  // Makes both. `watch`: where it says what it is doing; it outlives the session. Throws SetupError.
  Session(const RunPlan& plan, WatchPoint& watch);
  // Ends both unless a round did not end well. After an exception from between the rounds the process may end by a return from main(),
  // and then no worker may run.
  ~Session();

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Requires: not closed.
  registry::IScheduler& Scheduler() noexcept {
    return *scheduler_;
  }

  // The config of the plan with the settings that are in effect.
  const config::Settings& EffectiveConfig() const noexcept {
    return effective_;
  }

  // Requires: not closed.
  registry::IWorkload& Workload() noexcept {
    return *workload_;
  }

  // Does one round and checks its answer. `name`: as messages call it, "round 3". Throws RoundFailure, and std::bad_alloc.
  MeasuredRound Measure(const std::string& name);

  // Ends both, the scheduler first. Then nothing but the destructor may be called.
  void Close();

 private:
  const registry::WorkloadEntry& entry_;
  WatchPoint& watch_;
  const platform::HardwareCounters hardware_;  // before the workers, which inherit it
  config::Settings effective_;
  std::unique_ptr<registry::IWorkload> workload_;
  std::unique_ptr<registry::IScheduler> scheduler_;
  bool in_round_ = false;  // a round has begun, and not ended well
};

// Whether the calling thread is making the scheduler or the workload of a session. Where memory runs out there, an
// exception describes best what it was for.
bool IsSettingUp() noexcept;

}  // namespace schedbench::harness
