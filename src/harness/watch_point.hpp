#pragma once

#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// What a run is busy with.
enum class Phase : std::uint8_t {
  kOther,          // what is not watched: with a report to a terminal that may be stopped
  kMakeWorkload,   // its constructor
  kMakeScheduler,  // its constructor
  kPrepare,        // IWorkload::Prepare
  kRun,            // IWorkload::Run
  kWaitIdle,       // IScheduler::WaitIdle after it
  kVerify,         // IWorkload::Verify
  kStop,           // the end of the scheduler
  kEnd,            // the end of the workload after it
};

// Where the thread that runs a plan says what it is doing, and another one checks whether it makes progress.
class WatchPoint {
 public:
  WatchPoint() = default;
  WatchPoint(const WatchPoint&) = delete;
  WatchPoint& operator=(const WatchPoint&) = delete;

  // By the thread that runs the plan. `round`: "round 3". `scheduler` can be read until the next call; null where
  // there is none.
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
    std::uint64_t entries = 0;  // how often the phase has changed
    // Names the scheduler, and no more: by the time that the view is looked at, it may be gone.
    const executors::IExecutor* executor = nullptr;
    std::vector<registry::WorkerReading> workers;
    std::uint64_t external_submissions = 0;
    std::uint64_t ended_outside = 0;  // IScheduler::EndedOutside()
  };

  // Any thread. What more is to be known of the scheduler of `view`; nothing if it may be gone.
  registry::PoolState StateSince(const View& view) const {
    const platform::MutexLock lock(mutex_);
    return entries_ == view.entries && scheduler_ != nullptr ? scheduler_->State()
                                                             : registry::PoolState();
  }

  // Any thread. All that is read of the scheduler is read here, where the thread of the run cannot destroy it.
  View Look() const {
    const platform::MutexLock lock(mutex_);
    View view{.phase = phase_,
              .round = round_,
              .entries = entries_,
              .executor = scheduler_,
              .workers = {}};
    if (scheduler_ != nullptr) {
      view.workers = scheduler_->ReadWorkers();
      view.external_submissions = scheduler_->ExternalSubmissions();
      view.ended_outside = scheduler_->EndedOutside();
    }
    return view;
  }

 private:
  mutable platform::Mutex mutex_;
  // All guarded by mutex_.
  Phase phase_ = Phase::kOther;
  std::string round_;
  const registry::IScheduler* scheduler_ = nullptr;
  std::uint64_t entries_ = 0;
};

}  // namespace schedbench::harness
