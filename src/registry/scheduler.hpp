#pragma once

#include "config/settings.hpp"
#include "executors/executor.hpp"
#include "metrics/log_histogram.hpp"
#include "metrics/metric_list.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace schedbench::registry {

// What one worker has counted up to a moment.
struct WorkerReading {
  metrics::MetricValues values;             // in the order of metrics::WorkerMetricList()
  metrics::HistogramSnapshot wakeup_ticks;  // ready-to-running, in ticks of platform::TickClock
};

// A scheduler under measurement: an executor with workers. In a child of fork() that has none of its threads the parent's
// schedulers can be neither used nor stopped nor destroyed: leave by _exit(), or exec.
class IScheduler : public executors::IExecutor {
 public:
  // Requires: stopped, or nobody submits any more (then it stops).
  virtual ~IScheduler() = default;

  // Blocks until every task submitted before the call, and every task that follows from those, has run.
  // A suspended fiber is no task, unless the scheduler's config says that it waits for fibers (fast: wait_idle): who counts
  // on either uses a WaitGroup. Not from a task of this scheduler.
  virtual void WaitIdle() noexcept = 0;

  // Runs all tasks that are queued, and what follows from them, then ends the workers. Requires: nobody
  // submits from outside any more, and called once.
  virtual void Stop() noexcept = 0;

  // How many workers serve. No limit where threads come as they are needed (cached_pool, thread_per_task): there it says
  // nothing, and is 1. Any thread.
  virtual std::uint32_t ActiveWorkers() const {
    return static_cast<std::uint32_t>(ReadWorkers().size());
  }

  // Lets `count` workers serve from now on. Returns at once: a worker that is to rest does so at its next poll of the global
  // queue (fast: global_poll_period), or earlier when it runs out of tasks, and gives what waits in its queues to the others.
  // False, and nothing changes: this scheduler cannot, or `count` is 0 or more than the `workers` that its config let it
  // start. Any thread, also a task; not after Stop.
  virtual bool SetActiveWorkers(std::uint32_t /*count*/) noexcept {
    return false;
  }

  // Reads all workers, in their order. Any thread, at any time before destruction.
  virtual std::vector<WorkerReading> ReadWorkers() const = 0;

  // Number of tasks submitted from outside so far. Any thread, at any time before destruction.
  virtual std::uint64_t SubmittedFromOutside() const noexcept = 0;
};

// A scheduler as the command line knows it.
struct SchedulerEntry {
  std::string_view name;
  std::string_view doc;  // one line
  const config::Schema& (*schema)();
  // `settings`: of that schema, with `workers` at least 1. `seed`: all random choices follow from it.
  // Throws std::runtime_error when the machine refuses threads or memory.
  std::unique_ptr<IScheduler> (*make)(const config::Settings& settings, std::uint64_t seed);
  // Another name by which it is found; "" for none.
  std::string_view alias = {};
};

// All registered schedulers by name.
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
  explicit SchedulerRegistration(const SchedulerEntry& entry);
};

}  // namespace schedbench::registry
