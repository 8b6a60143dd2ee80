#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "platform/threads/thread.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::schedulers {

// What a monitor does at each look.
class IMonitored {
 public:
  // Looks at all workers. `now_ns`: of platform::NowNs(). Returns whether it has changed something. The monitor's thread.
  virtual bool Look(std::uint64_t now_ns) noexcept = 0;

  // Whether no worker runs. Any thread.
  virtual bool IsIdle() const noexcept = 0;

 protected:
  ~IMonitored() = default;
};

// Go's sysmon: a thread that is no worker and looks at the workers from time to time. It sleeps for 20 us; after 50 looks in a row
// that change nothing, twice as long each time, at most 10 ms (the figures of Go). While all workers are idle it sleeps without a
// limit, until Wake().
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

  // A worker is not idle any more. Any thread, after the step that claims the worker.
  void Wake() noexcept {
    // seq_cst: pairs with the fence in SleepWhileIdle(): either we see that it sleeps, or it sees our worker.
    AtomicFence(memory_order_seq_cst);
    // relaxed: after the fence; EndSleep() checks it.
    if (state_.Load(memory_order_relaxed) == kSleeps) {
      EndSleep();
    }
  }

  // CPU time of the thread, up to its last sleep of a millisecond or more.
  std::uint64_t CpuNs() const noexcept {
    // relaxed: a statistic.
    return cpu_ns_.Load(memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t kLooks = 0;   // or sleeps with a limit
  static constexpr std::uint32_t kSleeps = 1;  // until EndSleep()
  static constexpr std::uint32_t kEnds = 2;

  void Main() noexcept;
  void SleepWhileIdle() noexcept;
  void EndSleep() noexcept;

  IMonitored& monitored_;
  alignas(kCacheLine) Atomic<std::uint32_t> state_{kLooks};  // futex of the thread
  Atomic<std::uint64_t> cpu_ns_{0};                          // by the thread
  std::optional<platform::Thread> thread_;
};

}  // namespace schedbench::schedulers
