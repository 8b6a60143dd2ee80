#pragma once

#include "config/settings.hpp"
#include "executors/executor.hpp"
#include "metrics/log_histogram.hpp"
#include "metrics/metric_list.hpp"
#include "registry/optimization.hpp"
#include "trace/shared_tracer.hpp"
#include "trace/tracer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::registry {

// The counts of one worker up to a moment.
struct WorkerReading {
  metrics::MetricValues values;  // in the order of metrics::WorkerMetricList()
  // Times of metrics::TaskTimes, in ticks of platform::TickClock.
  metrics::HistogramSnapshot wakeup_ticks;
  metrics::HistogramSnapshot run_ticks;
};

// A scheduler at a moment, for reports on hangs. It is read without a lock, so its parts may be
// from slightly different moments. Empty where a scheduler reports nothing.
struct PoolState {
  struct Queue {
    static constexpr std::size_t kShared = SIZE_MAX;
    std::string name;              // "local queue of worker 1"
    std::uint64_t tasks;           // number of tasks that wait there
    std::size_t worker = kShared;  // its worker, in the order of ReadWorkers()
  };
  std::vector<Queue> queues;
  std::uint32_t active = 0;     // active workers
  std::uint32_t searching = 0;  // workers that look for work to steal
  std::uint32_t idle = 0;       // active workers that are parked or about to park
  // Threads that run workers, are idle or in blocking calls, where workers change their threads.
  std::uint64_t threads = 0;
  // Fibers in blocking calls on threads without a worker, and for some microseconds the monitor
  // that makes calls of a batch.
  std::uint32_t in_calls = 0;
  // Why tasks may wait although the scheduler works correctly; "" for nothing.
  std::string_view note{};
};

// The recorders of a scheduler's events (trace::Session). Tracers live as long as the scheduler.
struct Tracers {
  // Order of ReadWorkers(); empty: its events cannot be recorded.
  std::vector<trace::Tracer*> workers{};
  trace::SharedTracer* external = nullptr;  // for external submissions
};

// A scheduler under measurement: an executor with workers.
class IScheduler : public executors::IExecutor {
 public:
  // Stops the scheduler if it runs. Requires: no thread submits any more.
  virtual ~IScheduler() = default;

  // Blocks until every task submitted before the call, and every task that follows from those, has
  // run. A suspended fiber is not a task, unless the scheduler's config says that it waits for
  // fibers (fast: wait_idle): programs that depend on either use a WaitGroup. Not from its tasks.
  virtual void WaitIdle() noexcept = 0;

  // Runs all queued tasks, and what follows from them, then ends the workers. Requires: no external
  // submission during or after the call; called once.
  virtual void Stop() noexcept = 0;

  // Returns the number of active workers. Where threads start as they are needed (cached_pool,
  // thread_per_task) it is 1 and means nothing. Any thread.
  virtual std::uint32_t ActiveWorkers() const {
    return static_cast<std::uint32_t>(ReadWorkers().size());
  }

  // Makes `count` workers active from now on. Returns at once: a worker is deactivated at its next
  // poll of the global queue (fast: global_poll_period), or earlier when it runs out of tasks, and
  // gives its queued tasks to the others. Returns false, and changes nothing, if it cannot do it,
  // or `count` is 0 or above the `workers` of its config. Any thread, also a task; not after Stop.
  virtual bool SetActiveWorkers(std::uint32_t /*count*/) noexcept {
    return false;
  }

  // Reads all workers, in their order. Any thread, at any time before destruction.
  virtual std::vector<WorkerReading> ReadWorkers() const = 0;

  // Reads the counts of the scheduler as a whole. Any thread, at any time before destruction; may
  // wait for a lock of the scheduler, so that a report on a stuck scheduler must not call it.
  virtual metrics::MetricValues ReadPool() const {
    return metrics::ReadMetrics(metrics::PoolMetrics());
  }

  // Returns how many tasks wait in which queue and what the workers do, for the report of a hang.
  // Any thread, at any time before destruction; never waits. May be empty.
  virtual PoolState State() const {
    return {};
  }

  // Returns where the workers and external submissions record their events, for `schedbench trace`.
  // They live as long as the scheduler; empty where a scheduler does not record. Any thread.
  virtual registry::Tracers Tracers() noexcept {
    return {};
  }

  // Returns the number of external submissions so far. Any thread, at any time before destruction.
  virtual std::uint64_t ExternalSubmissions() const noexcept = 0;

  // Returns how many tasks, or parts of fibers, have ended on threads without a worker: after or in
  // a blocking call. No worker's tasks_run counts them. Any thread, at any time before destruction.
  virtual std::uint64_t EndedOutside() const noexcept {
    return 0;
  }

  // Returns the number of external submissions of new tasks and fibers, without those that resume a
  // fiber, which another thread may also cause. Override it where ExternalSubmissions() counts
  // both. Any thread, at any time before destruction.
  virtual std::uint64_t ExternalSpawns() const noexcept {
    return ExternalSubmissions();
  }
};

// A scheduler on the command line.
struct SchedulerEntry {
  std::string_view name;
  std::string_view doc;  // one line
  const config::Schema& (*schema)();
  // `settings`: of that schema, with `workers` at least 1. `seed` determines all random choices.
  // Throws std::runtime_error when the machine refuses threads or memory.
  std::unique_ptr<IScheduler> (*make)(const config::Settings& settings, std::uint64_t seed);
  // Sets the fields of a config to the values in effect in a scheduler that was made by it and
  // still exists: the kernel may have refused something. Null: all settings hold.
  void (*set_effective)(config::Settings& settings) = nullptr;
  // Another name of the scheduler; "" for none.
  std::string_view alias = {};
  // A fixed combination of another scheduler's settings, under its published name. Lists have it
  // last, and `compare` only takes it on request.
  bool is_variant = false;
  // True if IScheduler::Tracers() returns tracers.
  bool records_events = true;
  // True if the compiler optimized the registering file. The registration sets it.
  bool is_optimized = true;
};

// SchedulerEntry::make of a class that takes its config and a seed.
template <typename Scheduler, typename Config>
std::unique_ptr<IScheduler> MakeScheduler(const config::Settings& settings, std::uint64_t seed) {
  return std::make_unique<Scheduler>(settings.As<Config>(), seed);
}

// Returns all registered schedulers by name, variants last.
std::vector<const SchedulerEntry*> Schedulers();

// Returns the names that FindScheduler() finds, with aliases.
std::vector<std::string_view> SchedulerNames();

// Finds a scheduler by name or alias. Returns null if there is none.
const SchedulerEntry* FindScheduler(std::string_view name);

// Replaces `workers` = 0, if the config has it, by the number of CPUs that this process may use.
void ResolveWorkers(config::Settings& settings);

// Registers a scheduler for the program's life. Each folder under schedulers/ has such an object.
class SchedulerRegistration {
 public:
  // Copies `entry`. Runs before main. Asserts that no scheduler has that name.
  explicit SchedulerRegistration(const SchedulerEntry& entry, bool is_optimized = kIsOptimizedHere);
};

}  // namespace schedbench::registry
