#pragma once

#include "base/random.hpp"
#include "metrics/log_histogram.hpp"
#include "platform/time/clock.hpp"

#include <cstdint>

namespace schedbench::metrics {

// Chooses which tasks to time: a clock read costs as much as several context switches, so timing
// each task would measure the clock. It stamps one task in kMeanPeriod, at random distances, so
// that no rhythm of the workload can match the sample's. Only the owner uses it.
class ReadySampler {
 public:
  // Spread over 64 tasks, two clock reads and a record are negligible compared to a switch.
  static constexpr std::uint32_t kMeanPeriod = 64;

  explicit ReadySampler(std::uint64_t seed) noexcept
      : random_(seed) {
  }

  // Counts that the task with this stamp becomes ready.
  SB_ALWAYS_INLINE void OnReady(std::uint64_t& stamp) noexcept {
    if (--until_sample_ == 0) [[unlikely]] {
      Stamp(stamp);
    }
  }

 private:
  SB_NOINLINE void Stamp(std::uint64_t& stamp) noexcept {
    until_sample_ = 1 + random_.Next() % (2 * kMeanPeriod - 1);
    stamp = platform::TickClock::Now() | 1U;  // 0 means "not in the sample"
  }

  std::uint32_t until_sample_ = 1;
  QuickRandom random_;
};

// Stamps a task from a thread outside of the scheduler's workers. A thread has one sampler for all
// schedulers, with the seed of the first: it only chooses the timed tasks. Not inlined: a caller
// must not keep the address of the thread_local over a switch.
SB_NOINLINE inline void StampExternal(std::uint64_t& stamp, std::uint64_t seed) noexcept {
  thread_local ReadySampler sampler(seed);
  sampler.OnReady(stamp);
}

// Collects two times of the tasks in the sample. The stamp lives in the task: the worker that runs
// it records both, whichever thread stamped it.
//   wake-up  from "ready" (Submit) to "running"
//   run      from there until its worker has picked another task, found none, or continues the same
//            one. It includes the switch, the pick and a clock read.
class TaskTimes {
 public:
  // Counts that the task with this stamp starts and the last one stopped. Only the owner calls it.
  SB_ALWAYS_INLINE void OnRun(std::uint64_t& stamp) noexcept {
    if ((stamp | running_since_) != 0) [[unlikely]] {
      Record(stamp);
    }
  }

  // Counts that the last task stopped, and no other is ready. Only the owner calls it.
  void OnNoTask() noexcept {
    if (running_since_ != 0) [[unlikely]] {
      RecordRun(platform::TickClock::Now());
    }
  }

  // Return the times in ticks of platform::TickClock. Any thread.
  HistogramSnapshot Wakeups() const {
    return wakeups_.Snapshot();
  }

  HistogramSnapshot Runs() const {
    return runs_.Snapshot();
  }

 private:
  SB_NOINLINE void Record(std::uint64_t& stamp) noexcept {
    const std::uint64_t now = platform::TickClock::Now();
    if (running_since_ != 0) {
      RecordRun(now);
    }
    if (stamp != 0) {
      wakeups_.Record(Between(stamp, now));
      stamp = 0;
      running_since_ = now | 1U;  // 0 means "not in the sample"
    }
  }

  void RecordRun(std::uint64_t now) noexcept {
    runs_.Record(Between(running_since_, now));
    running_since_ = 0;
  }

  // The clocks of two cores may differ a little.
  static std::uint64_t Between(std::uint64_t earlier, std::uint64_t later) noexcept {
    return later > earlier ? later - earlier : 0;
  }

  // The start of the running task if it is in the sample, otherwise 0. Only the owner uses it.
  std::uint64_t running_since_ = 0;
  LogHistogram wakeups_;
  LogHistogram runs_;
};

}  // namespace schedbench::metrics
