#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "platform/threads/thread.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::schedulers {

// The workers that a monitor checks.
class IMonitored {
 public:
  // The monitor checks all workers at `now_ns` of platform::NowNs(). True: it changed something.
  virtual bool Look(std::uint64_t now_ns) noexcept = 0;

  // Returns whether no worker runs. Any thread.
  virtual bool IsIdle() const noexcept = 0;

 protected:
  ~IMonitored() = default;
};

// Go's sysmon: a thread that is not a worker and checks the workers from time to time. It sleeps
// for 20 us. After 50 checks in a row that change nothing it doubles each sleep, to at most 10 ms
// (Go's figures). While all workers are idle it sleeps without a limit, until Wake().
class Sysmon {
 public:
  static constexpr std::uint64_t kShortestSleepNs = 20'000;
  static constexpr std::uint64_t kLongestSleepNs = 10'000'000;
  static constexpr std::uint32_t kIdleLooks = 50;

  // Starts the thread. Throws std::runtime_error when the machine refuses it.
  Sysmon(IMonitored& monitored, const std::string& name);

  // Ends the thread.
  ~Sysmon();

  Sysmon(const Sysmon&) = delete;
  Sysmon& operator=(const Sysmon&) = delete;

  // Called when a worker is not idle any more, after the step that claims it. Any thread.
  void Wake() noexcept {
    // seq_cst: pairs with the fence in SleepWhileIdle(): we see that it sleeps, or it sees us.
    AtomicFence(memory_order_seq_cst);
    // relaxed: after the fence; EndSleep() checks it.
    if (state_.Load(memory_order_relaxed) == kSleeps) {
      EndSleep();
    }
  }

  // CPU time of the thread, up to its last sleep of a millisecond or more.
  std::uint64_t CpuNs() const noexcept {
    return cpu_ns_.Load(memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t kLooks = 0;   // checks, or sleeps with a limit
  static constexpr std::uint32_t kSleeps = 1;  // sleeps until EndSleep()
  static constexpr std::uint32_t kEnds = 2;

  void Main() noexcept;
  void SleepWhileIdle() noexcept;
  void EndSleep() noexcept;

  IMonitored& monitored_;
  // Futex of the thread. relaxed: nothing else is read by way of it, and the fences order a wake.
  alignas(kCacheLine) Atomic<std::uint32_t> state_{kLooks};
  Atomic<std::uint64_t> cpu_ns_{0};  // written by the thread; relaxed: a statistic
  std::optional<platform::Thread> thread_;
};

}  // namespace schedbench::schedulers
