#pragma once

#include "base/random.hpp"
#include "metrics/log_histogram.hpp"
#include "platform/time/clock.hpp"

#include <cstdint>

namespace schedbench::metrics {

// Chooses which tasks to time: a clock read costs as much as several context switches, so that timing each
// task would measure the clock. One task in kMeanPeriod is stamped, at random distances, so that no rhythm
// of the workload hides behind the rhythm of the sample. Owner only.
class ReadySampler {
 public:
  // 64: two clock reads and a record, spread over so many tasks, are lost in the cost of a switch.
  static constexpr std::uint32_t kMeanPeriod = 64;

  explicit ReadySampler(std::uint64_t seed) noexcept
      : random_(seed) {
  }

  // The task whose stamp this is becomes ready.
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

// Stamps a task that a thread submits which is no worker of the scheduler. A thread has one sampler for all schedulers, of the
// seed of the first: it only chooses which tasks are timed. Not inlined: a caller must not keep the address of the thread_local
// over a switch.
SB_NOINLINE inline void StampExternal(std::uint64_t& stamp, std::uint64_t seed) noexcept {
  thread_local ReadySampler sampler(seed);
  sampler.OnReady(stamp);
}

// Collects two times of the tasks in the sample. The stamp lives in the task: the worker that runs it records both, whichever
// thread stamped it.
//   wake-up  from "ready" (Submit) to "running"
//   run      from there until its worker has picked another task, found none, or continues the same one. The switch, the pick
//            and a clock read are in it.
class TaskTimes {
 public:
  // Owner only. The task whose stamp this is begins to run; the one before it has stopped.
  SB_ALWAYS_INLINE void OnRun(std::uint64_t& stamp) noexcept {
    if ((stamp | running_since_) != 0) [[unlikely]] {
      Record(stamp);
    }
  }

  // Owner only. The last task has stopped, and no other is at hand.
  void OnNoTask() noexcept {
    if (running_since_ != 0) [[unlikely]] {
      RecordRun(platform::TickClock::Now());
    }
  }

  // Any thread. Both in ticks of platform::TickClock.
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

  std::uint64_t running_since_ =
      0;  // owner only; of the running task if it is in the sample, else 0
  LogHistogram wakeups_;
  LogHistogram runs_;
};

}  // namespace schedbench::metrics
