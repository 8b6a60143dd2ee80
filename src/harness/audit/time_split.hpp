#pragma once

#include "profile/sampling/blocked_calls.hpp"
#include "profile/sampling/sampled_thread.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace schedbench::harness {

// What the time of workers went to.
enum class TimeUse : std::uint8_t {
  kBody,         // code of the workload
  kSleep,        // sleeps in the kernel that tasks asked for
  kSwitch,       // the runtime: spawns, switches, queues, channels, mutexes of fibers
  kLock,         // locks of the runtime, and locks that block a worker
  kSearch,       // for tasks of other workers
  kPark,         // parked without work; parking, and waking others
  kSystemCall,   // blocked in other system calls of tasks
  kPreempted,    // ready, without a CPU
  kHarness,      // between the rounds
  kUnexplained,  // CPU time that no sample stands for
};

struct TimeUseInfo {
  TimeUse use;
  std::string_view key;    // in JSON: "kernel_sleep"
  std::string_view head;   // of a column: "sleep"
  std::string_view label;  // in sentences: "kernel sleep"
  std::string_view doc;    // one line
};

// All, in the order of reports.
std::span<const TimeUseInfo> TimeUses();
inline constexpr std::size_t kTimeUses = 10;

// Shares of the wall time of all workers; they add up to 1, or all are 0 where there was no worker.
struct TimeSplit {
  double operator[](TimeUse use) const {
    return shares[static_cast<std::size_t>(use)];
  }

  std::array<double, kTimeUses> shares{};
  bool separates_locks = true;  // false: waits for locks that block a worker count as parked
  bool separates_calls =
      true;  // false: sleeps count as system calls, because the kernel does not report which calls block
};

// What is known of the workers over the measured rounds and the time between them.
struct ObservedTime {
  const profile::StackProfile& samples;  // with names, without the frames of the worker's loop
  std::span<const profile::WorkerTime> workers;
  profile::BlockedCounts blocked;
  std::uint64_t rounds_ns = 0;  // wall time of the rounds, times the workers
  bool threads_vary = false;    // threads start and end with tasks: rounds_ns is not known
  std::optional<std::uint64_t> parked_ns;  // in the rounds; none: the scheduler does not measure it
  std::uint64_t stalled_ns = 0;            // of all workers, by platform::StallWorkers()
  std::uint64_t blocking_calls = 0;        // that tasks made in the rounds, without parks
  // In the kernel, where `blocked` has counted too few of them: CpuNsOfBlockingCall().
  double cpu_ns_of_blocking_call = 0;
};

// Splits the time. CPU time is split by the samples, which are stretched to the CPU time that the kernel counted. Time in which a
// worker was blocked is split by what it was seen blocked in; of waits in a futex, those beyond the time parked and the time between
// rounds are waits for locks.
//
// The timer that takes the samples is late on virtual CPUs. If a sample falls due while a thread enters a blocking call, the thread
// sleeps first, and the sample is taken in the code after the call. So the CPU time of blocking calls, as far as no sample stands for
// it, moves to what the calls were. That of sleeps was counted. The other calls, at the mean price of the waits that were counted, are
// sleeps by functions that do not count, locks, and calls, by their shares of the time blocked. The CPU time comes from the time
// without samples, and then from the body.
TimeSplit SplitTime(const ObservedTime& observed);

// Returns the CPU time that the kernel takes to block a thread and to wake it again: the mean of some sleeps of this thread, which
// take 20 ms together.
double CpuNsOfBlockingCall();

// Returns what a sample was taken in. `calls`: the outermost first.
TimeUse UseOf(const profile::Frame& owner, std::span<const profile::Frame* const> calls);

}  // namespace schedbench::harness
