#include "platform/time/clock.hpp"

#include "base/spin_wait.hpp"
#include "platform/time/blocking_cost.hpp"

#include <atomic>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <string>

namespace schedbench::platform {

namespace {

std::uint64_t ReadClock(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)
// The kernel reports whether the counter is usable: constant_tsc (same rate at every frequency) and
// nonstop_tsc (does not stop in sleep states). It resynchronises the cores or drops the flag.
bool CounterIsInvariant() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("flags", 0) == 0) {
      return line.find(" constant_tsc") != std::string::npos &&
             line.find(" nonstop_tsc") != std::string::npos;
    }
  }
  return false;
}
#endif

struct ClockPair {
  std::uint64_t ticks = TickClock::Now();
  std::uint64_t ns = NowNs();
};

}  // namespace

#if defined(__x86_64__)
const bool TickClock::use_counter_ = CounterIsInvariant();
#endif

namespace {

const ClockPair start;

}  // namespace

std::uint64_t NowNs() noexcept {
  return ReadClock(CLOCK_MONOTONIC);
}

namespace {

std::atomic<std::uint64_t> steps_back{0};

}  // namespace

std::uint64_t BetweenNs(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
  if (end_ns < begin_ns) [[unlikely]] {
    steps_back.fetch_add(1, std::memory_order_relaxed);  // relaxed: a statistic
    return 0;
  }
  return end_ns - begin_ns;
}

std::uint64_t ClockStepsBack() noexcept {
  return steps_back.load(std::memory_order_relaxed);  // relaxed: a statistic
}

void SleepUntilNs(std::uint64_t time) noexcept {
  const timespec until{.tv_sec = static_cast<std::time_t>(time / 1'000'000'000U),
                       .tv_nsec = static_cast<long>(time % 1'000'000'000U)};
  const BlockingCostScope cost;
  // A signal may end a sleep early.
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
  cost.Count(BlockingCall::kSleep);
}

void SleepForNs(std::uint64_t ns) noexcept {
  timespec left{.tv_sec = static_cast<std::time_t>(ns / 1'000'000'000U),
                .tv_nsec = static_cast<long>(ns % 1'000'000'000U)};
  const BlockingCostScope cost;
  // A signal may end a sleep early.
  while (::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
  }
  cost.Count(BlockingCall::kSleep);
}

std::uint64_t ProcessCpuNs() noexcept {
  return ReadClock(CLOCK_PROCESS_CPUTIME_ID);
}

// The kernel's numbers of clocks (include/linux/posix-timers.h): the complement of the thread's
// number, then three bits for the kind: 4 for one thread, 2 for the scheduler's account.
clockid_t ThreadCpuClock(int thread) noexcept {
  return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3U | 6U);
}

std::uint64_t ThreadCpuNs(int thread) noexcept {
  return ReadClock(ThreadCpuClock(thread));
}

double TickClock::NsPerTick() noexcept {
  constexpr std::uint64_t kShortestNs = 10'000'000;
  while (NowNs() - start.ns < kShortestNs) {
    CpuRelax();
  }
  const ClockPair now;
  return static_cast<double>(now.ns - start.ns) / static_cast<double>(now.ticks - start.ticks);
}

std::int64_t UnixSeconds() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec;
}

}  // namespace schedbench::platform
