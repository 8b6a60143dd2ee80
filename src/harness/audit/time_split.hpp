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

// The uses of the time of workers.
enum class TimeUse : std::uint8_t {
  kBody,         // code of the workload
  kSleep,        // sleeps in the kernel that tasks asked for
  kSwitch,       // the runtime: spawns, switches, queues, channels, mutexes of fibers
  kLock,         // locks of the runtime, and locks that block a worker
  kSearch,       // search for tasks of other workers
  kPark,         // parked without work; parking, and waking others
  kSystemCall,   // blocked in other system calls of tasks
  kPreempted,    // ready, without a CPU
  kHarness,      // between the rounds
  kUnexplained,  // CPU time that no sample stands for
};

struct TimeUseInfo {
  TimeUse use;
  std::string_view key;    // key in JSON: "kernel_sleep"
  std::string_view head;   // head of a column: "sleep"
  std::string_view label;  // name in sentences: "kernel sleep"
  std::string_view doc;    // one line
};

// Returns all uses, in the order of reports.
std::span<const TimeUseInfo> TimeUses();
inline constexpr std::size_t kTimeUses = 10;

// Shares of the wall time of all workers. They add up to 1, or all are 0 where there was no worker.
struct TimeSplit {
  double operator[](TimeUse use) const {
    return shares[static_cast<std::size_t>(use)];
  }

  std::array<double, kTimeUses> shares{};
  bool separates_locks = true;  // false: waits for locks that block a worker count as parked
  // False: sleeps count as system calls, because the kernel does not report which calls block.
  bool separates_calls = true;
};

// The observations of the workers in the measured rounds and the time between them.
struct ObservedTime {
  const profile::StackProfile& samples;  // has names, but not the frames of the worker's loop
  std::span<const profile::WorkerTime> workers;
  profile::BlockedCounts blocked;
  std::uint64_t rounds_ns = 0;  // wall time of the rounds, times the workers
  bool threads_vary = false;    // threads start and end with tasks: rounds_ns is not known
  // Parked time in the rounds; none: the scheduler does not measure it.
  std::optional<std::uint64_t> parked_ns;
  std::uint64_t stalled_ns = 0;      // stall of all workers by platform::StallWorkers()
  std::uint64_t blocking_calls = 0;  // calls that tasks made in the rounds, without parks
  // CPU time in the kernel, from CpuNsOfBlockingCall(), where `blocked` has counted too few calls.
  double cpu_ns_of_blocking_call = 0;
};

// Splits the time. Samples split the CPU time; they are stretched to the CPU time that the kernel
// counted. Time in which a worker was blocked is split by what it was seen blocked in. Futex waits
// beyond parks and the time between rounds are waits for locks. The sampling timer is late on
// virtual CPUs: if a sample falls due while a thread enters a blocking call, it is taken in the
// code after the call. So CPU time of blocking calls without a sample moves to the uses of these
// calls. Sleeps were counted. Others cost the mean price of counted waits and are split by blocked
// time into sleeps by functions that do not count, locks, and calls. This CPU time is taken from
// the time without samples, and then from the body.
TimeSplit SplitTime(const ObservedTime& observed);

// Returns the CPU time that the kernel takes to block a thread and to wake it again: the mean of
// some sleeps of this thread, which take 20 ms together.
double CpuNsOfBlockingCall();

// Returns what a sample was taken in. `calls`: the outermost call first.
TimeUse UseOf(const profile::Frame& owner, std::span<const profile::Frame* const> calls);

}  // namespace schedbench::harness
