#pragma once

#include "base/attributes.hpp"

#include <cstdint>
#include <ctime>

namespace schedbench::platform {

// Returns nanoseconds of the monotonic clock. About 20-35 ns per call.
std::uint64_t NowNs() noexcept;

// Returns the nanoseconds between two results of NowNs(). Some virtual machines set the clock back:
// then it returns 0, and ClockStepsBack() counts it. Thread-safe.
std::uint64_t BetweenNs(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept;

// Returns BetweenNs() from `begin_ns` to now.
inline std::uint64_t ElapsedNs(std::uint64_t begin_ns) noexcept {
  return BetweenNs(begin_ns, NowNs());
}

// Returns how often a measured time of this process was negative. Thread-safe.
std::uint64_t ClockStepsBack() noexcept;

// Sleeps until NowNs() is at least `time`, or later by the slack of SetTimerSlack().
void SleepUntilNs(std::uint64_t time) noexcept;

// Sleeps in the kernel for `ns` plus timer slack and wake: 2 ns take some 60 us by default.
void SleepForNs(std::uint64_t ns) noexcept;

// Returns the CPU time of all threads of this process, user and system, in nanoseconds.
std::uint64_t ProcessCpuNs() noexcept;

// Returns the CPU clock of a thread of this process, for clock_gettime() and timer_create().
// `thread`: the kernel's number of it, or 0 for the calling one.
clockid_t ThreadCpuClock(int thread) noexcept;

// Returns the CPU time in nanoseconds that a thread of this process has used, or 0 if it does not
// exist. `thread`: as for ThreadCpuClock(). Async-signal-safe; a system call.
std::uint64_t ThreadCpuNs(int thread) noexcept;

// The cheapest clock of the machine, in ticks of unknown length: the CPU's time stamp counter if it
// has one constant rate on all cores, otherwise the monotonic clock. On arm64 it is the virtual
// counter, whose rate the architecture guarantees; its tick may take some 40 ns. Ticks of two cores
// may differ by some tens of nanoseconds: users clamp negative differences to 0.
class TickClock {
 public:
  SB_ALWAYS_INLINE static std::uint64_t Now() noexcept {
#if defined(__x86_64__)
    if (use_counter_) [[likely]] {
      return __builtin_ia32_rdtsc();
    }
    return NowNs();
#elif defined(__aarch64__)
    // It needs no `isb`: like rdtsc, it may be read before earlier instructions end.
    std::uint64_t ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return NowNs();
#endif
  }

  // Returns the length of a tick. Compares both clocks since the start of the program, after
  // waiting until that is at least 10 ms (relative error below 1e-5).
  static double NsPerTick() noexcept;

#if defined(__x86_64__)
 private:
  static const bool use_counter_;
#endif
};

// Returns the seconds since 1970 by the machine's clock, which a user or a time server may set to
// any value: for dates, not for durations or an order.
std::int64_t UnixSeconds() noexcept;

}  // namespace schedbench::platform
