#pragma once

#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// The current step of a run.
enum class Phase : std::uint8_t {
  kOther,          // not watched: with a report to a terminal that may be stopped
  kMakeWorkload,   // the workload's constructor
  kMakeScheduler,  // the scheduler's constructor
  kPrepare,        // IWorkload::Prepare
  kRun,            // IWorkload::Run
  kWaitIdle,       // IScheduler::WaitIdle after the run
  kVerify,         // IWorkload::Verify
  kStop,           // the end of the scheduler
  kEnd,            // the end of the workload after it
};

// The thread that runs a plan reports its steps here, and another one checks its progress.
class WatchPoint {
 public:
  WatchPoint() = default;
  WatchPoint(const WatchPoint&) = delete;
  WatchPoint& operator=(const WatchPoint&) = delete;

  // Called by the thread that runs the plan. `round`: "round 3". `scheduler`, which may be null,
  // can be read until the next call.
  void Enter(Phase phase, std::string round, const registry::IScheduler* scheduler) {
    const platform::MutexLock lock(mutex_);
    phase_ = phase;
    round_ = std::move(round);
    scheduler_ = scheduler;
    ++entries_;
  }

  struct View {
    Phase phase = Phase::kOther;
    std::string round;
    std::uint64_t entries = 0;  // number of phase changes
    // Only identifies the scheduler, which may be destroyed before the view is used.
    const executors::IExecutor* executor = nullptr;
    std::vector<registry::WorkerReading> workers{};
    std::uint64_t external_submissions = 0;
    std::uint64_t ended_outside = 0;  // IScheduler::EndedOutside()
  };

  // Returns more of `view`'s scheduler; an empty state if it may be gone. Any thread.
  registry::PoolState StateSince(const View& view) const {
    const platform::MutexLock lock(mutex_);
    return entries_ == view.entries && scheduler_ != nullptr ? scheduler_->State()
                                                             : registry::PoolState();
  }

  // Reads all that is needed of the scheduler, which is not destroyed during it. Any thread.
  View Look() const {
    const platform::MutexLock lock(mutex_);
    View view{.phase = phase_, .round = round_, .entries = entries_, .executor = scheduler_};
    if (scheduler_ != nullptr) {
      view.workers = scheduler_->ReadWorkers();
      view.external_submissions = scheduler_->ExternalSubmissions();
      view.ended_outside = scheduler_->EndedOutside();
    }
    return view;
  }

 private:
  mutable platform::Mutex mutex_;
  // mutex_ guards all fields below.
  Phase phase_ = Phase::kOther;
  std::string round_;
  const registry::IScheduler* scheduler_ = nullptr;
  std::uint64_t entries_ = 0;
};

}  // namespace schedbench::harness
