#include "schedulers/machines/sysmon.hpp"

#include "executors/scheduler_side.hpp"
#include "platform/threads/futex.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <chrono>

namespace schedbench::schedulers {

namespace {

// The CPU time is read before sleeps of at least this length, because that costs a system call.
constexpr std::uint64_t kLongSleepNs = 1'000'000;

}  // namespace

Sysmon::Sysmon(IMonitored& monitored, const std::string& name)
    : monitored_(monitored) {
  thread_.emplace(name, [this] { Main(); });
}

Sysmon::~Sysmon() {
  state_.Store(kEnds, memory_order_relaxed);
  platform::FutexWake(state_, 1);
  thread_.reset();
}

void Sysmon::Main() noexcept {
  const executors::SchedulerSide side;
  platform::SetTimerSlack(1);  // the default of 50 us is more than a short sleep
  std::uint32_t idle_looks = 0;
  std::uint64_t sleep_ns = kShortestSleepNs;
  for (;;) {
    if (monitored_.IsIdle()) {
      SleepWhileIdle();
      idle_looks = 0;
      sleep_ns = kShortestSleepNs;
    }
    if (sleep_ns >= kLongSleepNs) {
      cpu_ns_.Store(platform::ThreadCpuNs(0), memory_order_relaxed);
    }
    platform::FutexWaitFor(state_, kLooks, std::chrono::nanoseconds(sleep_ns));
    if (state_.Load(memory_order_relaxed) == kEnds) {
      return;
    }
    if (monitored_.Look(platform::NowNs())) {
      idle_looks = 0;
      sleep_ns = kShortestSleepNs;
    } else if (++idle_looks > kIdleLooks) {
      sleep_ns = std::min(2 * sleep_ns, kLongestSleepNs);
    }
  }
}

void Sysmon::SleepWhileIdle() noexcept {
  std::uint32_t state = kLooks;
  // False: the thread is to end.
  if (!state_.CompareExchange(state, kSleeps, memory_order_relaxed, memory_order_relaxed)) {
    return;
  }
  // seq_cst: pairs with the fence in Wake().
  AtomicFence(memory_order_seq_cst);
  if (!monitored_.IsIdle()) {
    EndSleep();
    return;
  }
  cpu_ns_.Store(platform::ThreadCpuNs(0), memory_order_relaxed);
  while (state_.Load(memory_order_relaxed) == kSleeps) {
    platform::FutexWait(state_, kSleeps);
  }
}

void Sysmon::EndSleep() noexcept {
  std::uint32_t state = kSleeps;
  if (state_.CompareExchange(state, kLooks, memory_order_relaxed, memory_order_relaxed)) {
    platform::FutexWake(state_, 1);
  }
}

}  // namespace schedbench::schedulers
