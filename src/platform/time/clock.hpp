#pragma once

#include "base/attributes.hpp"

#include <cstdint>
#include <ctime>

namespace schedbench::platform {

// Nanoseconds of the monotonic clock. About 20-35 ns a call.
std::uint64_t NowNs() noexcept;

// Nanoseconds from one result of NowNs() to a later one. Some virtual machines set the clock back: the time is then 0, and
// ClockStepsBack() counts it. Thread-safe.
std::uint64_t BetweenNs(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept;

// The same up to now.
inline std::uint64_t ElapsedNs(std::uint64_t begin_ns) noexcept {
  return BetweenNs(begin_ns, NowNs());
}

// How often a measured time of this process was negative. Thread-safe.
std::uint64_t ClockStepsBack() noexcept;

// Sleeps until NowNs() is at least `time`; returns at once where it is already. How late it wakes is the kernel's:
// SetTimerSlack().
void SleepUntilNs(std::uint64_t time) noexcept;

// Asks the kernel to let the calling thread sleep for `ns`. The kernel adds the timer slack and the cost of the wake-up, so that 2 ns
// take some 60 us by default.
void SleepForNs(std::uint64_t ns) noexcept;

// CPU time of all threads of this process so far, user and system, in nanoseconds.
std::uint64_t ProcessCpuNs() noexcept;

// The CPU clock of a thread of this process, for clock_gettime() and timer_create(). `thread`: the kernel's number of it; 0 is the
// calling one.
clockid_t ThreadCpuClock(int thread) noexcept;

// CPU time that a thread of this process has used so far, in nanoseconds; 0 where there is no such thread. `thread`: as above.
// Async-signal-safe; a system call.
std::uint64_t ThreadCpuNs(int thread) noexcept;

// The cheapest clock of the machine, in ticks of unknown length: the CPU's time stamp counter where
// it has one constant rate on all cores, otherwise the monotonic clock. On arm64 it is the virtual
// counter, for which the architecture guarantees this; its tick may take some 40 ns. Ticks of two
// cores may differ by some tens of nanoseconds: users clamp negative differences to 0.
class TickClock {
 public:
  SB_ALWAYS_INLINE static std::uint64_t Now() noexcept {
#if defined(__x86_64__)
    if (use_counter_) [[likely]] {
      return __builtin_ia32_rdtsc();
    }
    return NowNs();
#elif defined(__aarch64__)
    // There is no `isb` before it: like rdtsc, it may be read before earlier instructions end.
    std::uint64_t ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return NowNs();
#endif
  }

  // Length of a tick. Compares both clocks over the time since the program began, and waits until that is
  // at least 10 ms (relative error below 1e-5).
  static double NsPerTick() noexcept;

#if defined(__x86_64__)
 private:
  static const bool use_counter_;
#endif
};

// Seconds since 1970 by the clock of the machine, which a user or a time server may set to any value: for dates, not for
// durations and not for an order.
std::int64_t UnixSeconds() noexcept;

}  // namespace schedbench::platform
