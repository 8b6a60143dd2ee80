#pragma once

#include "base/random.hpp"
#include "metrics/log_histogram.hpp"
#include "platform/clock.hpp"

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

// Collects the time from "ready" (Submit) to "running" of the tasks in the sample. The stamp lives in the
// task: the worker that runs it records it, whoever stamped it.
class WakeupLatency {
 public:
  // Owner only. The task whose stamp this is begins to run.
  SB_ALWAYS_INLINE void OnRun(std::uint64_t& stamp) noexcept {
    if (stamp != 0) [[unlikely]] {
      Record(stamp);
    }
  }

  // Any thread. In ticks of platform::TickClock.
  HistogramSnapshot Snapshot() const {
    return histogram_.Snapshot();
  }

 private:
  SB_NOINLINE void Record(std::uint64_t& stamp) noexcept {
    const std::uint64_t now = platform::TickClock::Now();
    histogram_.Record(now > stamp ? now - stamp : 0);
    stamp = 0;
  }

  LogHistogram histogram_;
};

}  // namespace schedbench::metrics
