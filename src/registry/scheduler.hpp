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

// What one worker has counted up to a moment.
struct WorkerReading {
  metrics::MetricValues values;  // in the order of metrics::WorkerMetricList()
  // Of metrics::TaskTimes, in ticks of platform::TickClock.
  metrics::HistogramSnapshot wakeup_ticks;
  metrics::HistogramSnapshot run_ticks;
};

// A scheduler at a moment: for reports on hangs. Read without a lock, so that the parts may be of slightly different moments.
// Empty where a scheduler reports nothing.
struct PoolState {
  struct Queue {
    static constexpr std::size_t kShared = SIZE_MAX;
    std::string name;              // "local queue of worker 1"
    std::uint64_t tasks;           // that wait there
    std::size_t worker = kShared;  // that it belongs to, in the order of ReadWorkers()
  };
  std::vector<Queue> queues;
  std::uint32_t active = 0;     // active workers
  std::uint32_t searching = 0;  // that look for work to steal
  std::uint32_t idle = 0;       // active ones that are parked or about to park
  std::uint64_t threads =
      0;  // that run workers, are idle or in blocking calls, where workers change their threads
  std::uint32_t in_calls = 0;  // fibers in blocking calls on threads that run no worker
  std::string_view
      note{};  // why tasks may wait although nothing is wrong with the scheduler; "" for nothing
};

// Where a scheduler's events are recorded (trace::Session). They live as long as the scheduler.
struct Tracers {
  std::vector<trace::Tracer*>
      workers{};  // in the order of ReadWorkers(); none: its events cannot be had
  trace::SharedTracer* external = nullptr;  // for external submissions
};

// A scheduler under measurement: an executor with workers.
class IScheduler : public executors::IExecutor {
 public:
  // Stops the scheduler if it runs. Requires: no thread submits any more.
  virtual ~IScheduler() = default;

  // Blocks until every task submitted before the call, and every task that follows from those, has run.
  // A suspended fiber is no task, unless the scheduler's config says that it waits for fibers (fast: wait_idle): a program that
  // depends on either uses a WaitGroup. Not from a task of this scheduler.
  virtual void WaitIdle() noexcept = 0;

  // Runs all tasks that are queued, and what follows from them, then ends the workers. Requires: no external submission during
  // or after the call; called once.
  virtual void Stop() noexcept = 0;

  // How many workers are active. Where threads start as they are needed (cached_pool, thread_per_task) it is 1 and means
  // nothing. Any thread.
  virtual std::uint32_t ActiveWorkers() const {
    return static_cast<std::uint32_t>(ReadWorkers().size());
  }

  // Makes `count` workers active from now on. Returns at once: a worker is deactivated at its next poll of the global queue
  // (fast: global_poll_period), or earlier when it runs out of tasks, and gives what waits in its queues to the others. False,
  // and nothing changes: this scheduler cannot, or `count` is 0 or more than the `workers` that its config let it start. Any
  // thread, also a task; not after Stop.
  virtual bool SetActiveWorkers(std::uint32_t /*count*/) noexcept {
    return false;
  }

  // Reads all workers, in their order. Any thread, at any time before destruction.
  virtual std::vector<WorkerReading> ReadWorkers() const = 0;

  // Reads what is counted of the scheduler as a whole. Any thread, at any time before destruction; may wait for a lock of
  // the scheduler, so that a report on a stuck scheduler must not call it.
  virtual metrics::MetricValues ReadPool() const {
    return metrics::ReadMetrics(metrics::PoolMetrics());
  }

  // Returns how many tasks wait in which queue and what the workers do, for the report of a hang. Any thread, at any time
  // before destruction; never waits. Empty where a scheduler reports nothing.
  virtual PoolState State() const {
    return {};
  }

  // Returns where the workers and external submissions record their events, for `schedbench trace`. They live as long as the
  // scheduler; empty where a scheduler records none. Any thread.
  virtual registry::Tracers Tracers() noexcept {
    return {};
  }

  // Returns the number of external submissions so far. Any thread, at any time before destruction.
  virtual std::uint64_t ExternalSubmissions() const noexcept = 0;

  // Returns how many tasks, or parts of fibers, have ended on threads that ran no worker: after or in a blocking call. No worker's
  // tasks_run counts them. Any thread, at any time before destruction.
  virtual std::uint64_t EndedOutside() const noexcept {
    return 0;
  }

  // Returns the number of external submissions of new tasks and fibers: without those that resume a fiber, which another
  // thread may cause too. To be overridden where ExternalSubmissions() counts both. Any thread, at any time before destruction.
  virtual std::uint64_t ExternalSpawns() const noexcept {
    return ExternalSubmissions();
  }
};

// A scheduler as the command line offers it.
struct SchedulerEntry {
  std::string_view name;
  std::string_view doc;  // one line
  const config::Schema& (*schema)();
  // `settings`: of that schema, with `workers` at least 1. `seed`: all random choices follow from it.
  // Throws std::runtime_error when the machine refuses threads or memory.
  std::unique_ptr<IScheduler> (*make)(const config::Settings& settings, std::uint64_t seed);
  // Sets the fields of a config to what is in effect in a scheduler that was made by it and still exists: the kernel may have
  // refused something. Null: all settings hold.
  void (*set_effective)(config::Settings& settings) = nullptr;
  // Another name by which it is found; "" for none.
  std::string_view alias = {};
  // A fixed combination of the settings of another scheduler, under the name by which it was published. Lists have it last,
  // and `compare` takes it only if it is asked to.
  bool is_variant = false;
  // Whether IScheduler::Tracers() has any.
  bool records_events = true;
  // Whether the compiler optimized the file that registers it. Set by the registration.
  bool is_optimized = true;
};

// SchedulerEntry::make of a class that takes its config and a seed.
template <typename Scheduler, typename Config>
std::unique_ptr<IScheduler> MakeScheduler(const config::Settings& settings, std::uint64_t seed) {
  return std::make_unique<Scheduler>(settings.As<Config>(), seed);
}

// All registered schedulers by name, variants last.
std::vector<const SchedulerEntry*> Schedulers();

// The names by which FindScheduler() finds one, aliases included.
std::vector<std::string_view> SchedulerNames();

// By name or alias. Null when there is none.
const SchedulerEntry* FindScheduler(std::string_view name);

// Replaces `workers` = 0 by the number of CPUs that this process may use, where the config has the field.
void ResolveWorkers(config::Settings& settings);

// Registers a scheduler for the life of the program. Each folder under schedulers/ ends in one such object.
class SchedulerRegistration {
 public:
  // Copies `entry`. Before main. Asserts that no scheduler has that name.
  explicit SchedulerRegistration(const SchedulerEntry& entry, bool is_optimized = kIsOptimizedHere);
};

}  // namespace schedbench::registry
