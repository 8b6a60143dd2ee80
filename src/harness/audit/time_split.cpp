#include "harness/audit/time_split.hpp"

#include "platform/time/clock.hpp"

#include <algorithm>
#include <numeric>

namespace schedbench::harness {

namespace {

constexpr std::array<TimeUseInfo, kTimeUses> kUses{{
    {TimeUse::kBody, "task_body", "body", "task body", "Code of the workload itself"},
    {TimeUse::kSleep, "kernel_sleep", "sleep", "kernel sleep",
     "Sleeps in the kernel that tasks asked for; the worker runs nothing in that time"},
    {TimeUse::kSwitch, "switch", "switch", "switch and bookkeeping",
     "The runtime: spawns, switches, queues, channels and mutexes of fibers"},
    {TimeUse::kLock, "lock_wait", "locks", "waits for locks",
     "Locks of queues and channels, spinning or blocked; other locks that block a worker"},
    {TimeUse::kSearch, "steal_search", "search", "steal search",
     "Search for tasks of other workers"},
    {TimeUse::kPark, "park_and_wake", "park", "park and wake",
     "Parked without work; parking, and waking others"},
    {TimeUse::kSystemCall, "system_calls", "calls", "other system calls",
     "Blocked in other system calls of tasks"},
    {TimeUse::kPreempted, "preempted", "preempted", "preempted",
     "Ready to run while the system gave the CPU to others, or stopped by --stall"},
    {TimeUse::kHarness, "harness", "between", "between rounds",
     "Preparing and checking rounds; the workers are parked"},
    {TimeUse::kUnexplained, "unexplained", "unexplained", "unexplained",
     "CPU time that no sample stands for"},
}};

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool HasAny(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [text](std::string_view part) { return Has(text, part); });
}

// Functions in which a thread sleeps, takes a lock, or wakes another one.
constexpr std::array<std::string_view, 3> kSleeps{"nanosleep", "platform::SleepForNs",
                                                  "platform::SleepUntilNs"};
constexpr std::array<std::string_view, 5> kLocks{"SpinLock::Lock", "platform::Mutex::Lock",
                                                 "platform::Mutex::TryLock", "pthread_mutex_lock",
                                                 "lll_lock_wait"};
constexpr std::array<std::string_view, 4> kWakes{"FutexWake", "platform::Mutex::Wake",
                                                 "ThreadEvent::Set", "pthread_cond_signal"};

// Folders of the runtime, as source or installed. Debug information lacks a lambda's namespace.
constexpr std::array<std::string_view, 8> kRuntimeFolders{
    "src/fibers/",        "src/executors/",        "src/futures/",        "src/coroutines/",
    "schedbench/fibers/", "schedbench/executors/", "schedbench/futures/", "schedbench/coroutines/"};

constexpr std::array<std::string_view, 7> kRuntimeNamespaces{
    "schedbench::fibers::",     "schedbench::executors::",  "schedbench::futures::",
    "schedbench::coroutines::", "schedbench::schedulers::", "schedbench::metrics::",
    "schedbench::trace::"};

// Libraries that both the workload and the runtime call.
constexpr std::array<std::string_view, 6> kLibraries{"/libc.",        "/libm.",    "/libstdc++.",
                                                     "/libmimalloc.", "/ld-linux", "[vdso]"};

// Returns whether the frame is code of the fibers, the executors or our schedulers.
bool IsRuntime(const profile::Frame& frame) {
  if (frame.name.starts_with("{lambda")) {
    return HasAny(frame.file, kRuntimeFolders);
  }
  // Other code of schedbench, such as clocks and random numbers, belongs to its caller.
  return std::ranges::any_of(
      kRuntimeNamespaces, [&frame](std::string_view name) { return frame.name.starts_with(name); });
}

bool IsLibrary(const profile::Frame& frame) {
  return frame.name.starts_with("std::") || HasAny(frame.module, kLibraries) ||
         (frame.name.starts_with("schedbench::") &&
          !frame.name.starts_with("schedbench::workloads::"));
}

// Nanoseconds of each use.
class Sum {
 public:
  void Add(TimeUse use, double ns) {
    ns_[static_cast<std::size_t>(use)] += ns;
  }

  double Of(TimeUse use) const {
    return ns_[static_cast<std::size_t>(use)];
  }

  std::array<double, kTimeUses> Shares() const {
    const double all = std::accumulate(ns_.begin(), ns_.end(), 0.0);
    std::array<double, kTimeUses> shares{};
    std::ranges::transform(ns_, shares.begin(),
                           [all](double ns) { return all > 0 ? ns / all : 0; });
    return shares;
  }

 private:
  std::array<double, kTimeUses> ns_{};
};

struct Total {
  double wall_ns = 0;
  double cpu_ns = 0;
  double queued_ns = 0;
  double blocked_ns = 0;
};

Total TotalOf(std::span<const profile::WorkerTime> workers) {
  Total total;
  for (const profile::WorkerTime& worker : workers) {
    const auto wall_ns = static_cast<double>(worker.wall_ns);
    const double cpu_ns = std::min(wall_ns, static_cast<double>(worker.cpu_ns));
    const double queued_ns =
        std::min(wall_ns - cpu_ns, static_cast<double>(worker.queued_ns.value_or(0)));
    total.wall_ns += wall_ns;
    total.cpu_ns += cpu_ns;
    total.queued_ns += queued_ns;
    total.blocked_ns += wall_ns - cpu_ns - queued_ns;
  }
  return total;
}

void AddCpuTime(const profile::StackProfile& samples, double cpu_ns, Sum& sum) {
  Sum sampled;
  double sampled_ns = 0;
  std::vector<const profile::Frame*> calls;
  for (const profile::Sample& sample : samples.samples) {
    calls.clear();
    for (const profile::FrameId frame : samples.StackAt(sample.stack)) {
      calls.push_back(&samples.FrameAt(frame));
    }
    const auto weight_ns = static_cast<double>(sample.weight_ns);
    sampled_ns += weight_ns;
    sampled.Add(UseOf(samples.FrameAt(sample.owner), calls), weight_ns);
  }
  const auto shares = sampled.Shares();
  const double explained_ns = std::min(cpu_ns, sampled_ns);
  for (std::size_t use = 0; use < kTimeUses; ++use) {
    sum.Add(static_cast<TimeUse>(use), shares[use] * explained_ns);
  }
  sum.Add(TimeUse::kUnexplained, cpu_ns - explained_ns);
}

void AddBlockedTime(const ObservedTime& observed, const Total& total, TimeSplit& split, Sum& sum) {
  const profile::BlockedCounts& seen = observed.blocked;
  const double between_ns =
      observed.threads_vary
          ? 0
          : std::max(0.0, total.wall_ns - static_cast<double>(observed.rounds_ns));
  const auto parked_ns = static_cast<double>(observed.parked_ns.value_or(0));
  double futex_ns = 0;
  if (const auto all = static_cast<double>(seen.Blocked()); all > 0) {
    const double ns_each = total.blocked_ns / all;
    futex_ns = ns_each * static_cast<double>(seen.in_futex);
    sum.Add(TimeUse::kSleep, ns_each * static_cast<double>(seen.in_sleep));
    sum.Add(TimeUse::kSystemCall, ns_each * static_cast<double>(seen.in_other));
  } else {
    // Without checks of blocked workers, time not parked may be any blocked call.
    split.separates_calls = seen.looks > 0;
    futex_ns =
        observed.parked_ns ? std::min(total.blocked_ns, parked_ns + between_ns) : total.blocked_ns;
    sum.Add(TimeUse::kSystemCall, total.blocked_ns - futex_ns);
  }
  split.separates_locks = observed.parked_ns.has_value();
  const double harness_ns = std::min(futex_ns, between_ns);
  const double locked_ns =
      split.separates_locks ? std::max(0.0, futex_ns - harness_ns - parked_ns) : 0;
  sum.Add(TimeUse::kHarness, harness_ns);
  sum.Add(TimeUse::kLock, locked_ns);
  sum.Add(TimeUse::kPark, futex_ns - harness_ns - locked_ns);
}

// Returns the CPU time of a call that blocks. The value that the run has shown is preferred: it
// depends on what else the machine does.
double CpuNsOfCall(const ObservedTime& observed) {
  constexpr std::uint64_t kEnough = 30;
  const platform::BlockingCost& waits = observed.blocked.futex_waits;
  return waits.calls < kEnough
             ? observed.cpu_ns_of_blocking_call
             : static_cast<double>(waits.cpu_ns) / static_cast<double>(waits.calls);
}

// Does what SplitTime() explains. `sampled`: CPU time. `sum`: all, with blocked time.
void MoveTimeOfBlockingCalls(const ObservedTime& observed, const Sum& sampled, Sum& sum) {
  constexpr std::array kBlocking{TimeUse::kSleep, TimeUse::kLock, TimeUse::kSystemCall};
  const platform::BlockingCost& sleeps = observed.blocked.sleeps;
  // Blocked time that is not known call by call.
  std::array<double, kBlocking.size()> of_calls_ns{};
  for (std::size_t i = 0; i < kBlocking.size(); ++i) {
    const bool is_counted = kBlocking[i] == TimeUse::kSleep && sleeps.calls > 0;
    of_calls_ns[i] = is_counted ? 0 : sum.Of(kBlocking[i]) - sampled.Of(kBlocking[i]);
  }
  const double all_ns = std::accumulate(of_calls_ns.begin(), of_calls_ns.end(), 0.0);
  const std::uint64_t calls =
      observed.blocking_calls - std::min(observed.blocking_calls, sleeps.calls);
  const double calls_cpu_ns = static_cast<double>(calls) * CpuNsOfCall(observed);
  for (std::size_t i = 0; i < kBlocking.size(); ++i) {
    const TimeUse use = kBlocking[i];
    double cpu_ns = all_ns > 0 ? of_calls_ns[i] / all_ns * calls_cpu_ns : 0;
    if (use == TimeUse::kSleep) {
      cpu_ns += static_cast<double>(sleeps.cpu_ns);
    }
    double missing_ns = std::max(0.0, cpu_ns - sampled.Of(use));
    for (const TimeUse from : {TimeUse::kUnexplained, TimeUse::kBody}) {
      const double moved_ns = std::min(missing_ns, sum.Of(from));
      sum.Add(from, -moved_ns);
      sum.Add(use, moved_ns);
      missing_ns -= moved_ns;
    }
  }
}

}  // namespace

std::span<const TimeUseInfo> TimeUses() {
  return kUses;
}

TimeUse UseOf(const profile::Frame& owner, std::span<const profile::Frame* const> calls) {
  if (owner.name == "worker:search" || owner.name == "worker:steal") {
    return TimeUse::kSearch;
  }
  if (owner.name == "worker:park") {
    return TimeUse::kPark;
  }
  bool in_body = false;
  bool in_runtime_below = false;
  for (const profile::Frame* const call : calls) {
    if (HasAny(call->name, kSleeps)) {
      return TimeUse::kSleep;
    }
    if (HasAny(call->name, kLocks)) {
      return TimeUse::kLock;
    }
    if (HasAny(call->name, kWakes)) {
      return TimeUse::kPark;
    }
    const bool is_runtime = IsRuntime(*call);
    in_runtime_below |= in_body && is_runtime;
    in_body |= !is_runtime && !IsLibrary(*call);
  }
  return in_body && !in_runtime_below ? TimeUse::kBody : TimeUse::kSwitch;
}

double CpuNsOfBlockingCall() {
  constexpr int kCalls = 100;
  constexpr std::uint64_t kSleepNs = 30'000;
  // Without work in between a call takes two thirds of the time, due to warm caches.
  constexpr std::uint64_t kWorkNs = 50'000;
  double work_ns = 0;
  const std::uint64_t before = platform::ThreadCpuNs(0);
  for (int call = 0; call < kCalls; ++call) {
    const std::uint64_t start = platform::ThreadCpuNs(0);
    std::uint64_t now = start;
    while (now - start < kWorkNs) {
      now = platform::ThreadCpuNs(0);
    }
    work_ns += static_cast<double>(now - start);
    platform::SleepForNs(kSleepNs);
  }
  return (static_cast<double>(platform::ThreadCpuNs(0) - before) - work_ns) / kCalls;
}

TimeSplit SplitTime(const ObservedTime& observed) {
  const Total total = TotalOf(observed.workers);
  TimeSplit split;
  Sum sum;
  AddCpuTime(observed.samples, total.cpu_ns, sum);
  const Sum sampled = sum;
  sum.Add(TimeUse::kPreempted, total.queued_ns);
  AddBlockedTime(observed, total, split, sum);
  MoveTimeOfBlockingCalls(observed, sampled, sum);
  // A stop of a worker is also a sleep in the kernel, but no task asked for it.
  const double stalled_ns =
      std::min(static_cast<double>(observed.stalled_ns), sum.Of(TimeUse::kSleep));
  sum.Add(TimeUse::kSleep, -stalled_ns);
  sum.Add(TimeUse::kPreempted, stalled_ns);
  split.shares = sum.Shares();
  return split;
}

}  // namespace schedbench::harness
