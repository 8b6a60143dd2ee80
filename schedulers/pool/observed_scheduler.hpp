#pragma once

#include "base/atomic.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/pool/observed_source.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::schedulers {

// The base of a scheduler with its own queues and threads: it counts tasks, their wake-up latency
// and idle time, and records events. Profiles sample its threads. The derived class
//  starts threads, each of which calls RunWorker(),
//  calls OnSubmit() first in Submit(),
//  implements TakeTask(),
//  and in Stop(), when its threads are joined, calls AbandonSleepers().
// It costs an atomic count that all workers share. WaitIdle() sees by it that all tasks have run.
class ObservedScheduler : public registry::IScheduler {
 public:
  void WaitIdle() noexcept final;
  std::vector<registry::WorkerReading> ReadWorkers() const final;
  metrics::MetricValues ReadPool() const final;
  registry::Tracers Tracers() noexcept final;
  std::uint64_t ExternalSubmissions() const noexcept final {
    return external_.Submissions();
  }
  std::uint64_t ExternalSpawns() const noexcept final {
    return external_.Spawns();
  }

 protected:
  // A worker, used by its thread alone. All of its tasks count as taken from the global queue.
  class Worker;

  // `seed`: all random choices of the counting follow from it.
  explicit ObservedScheduler(std::uint32_t workers, std::uint64_t seed = 1,
                             const fibers::StackConfig& stacks = {});
  ~ObservedScheduler() override;

  // Runs tasks until TakeTask() returns null: a thread's whole work. `name`: the thread's name.
  void RunWorker(std::uint32_t index, const std::string& name) noexcept;

  // Counts a task. Call it before other threads can see the task.
  void OnSubmit(executors::TaskBase& task, executors::SchedulerHint hint) noexcept;

  // Returns a task. Without one it waits, if `may_wait`, or returns null to end the thread; if it
  // may not wait, it returns null. Call the worker's BeginPark() and EndPark() around each sleep.
  virtual executors::TaskBase* TakeTask(Worker& worker, bool may_wait) noexcept = 0;

  // Ends the timers of fibers that sleep, which would submit them.
  void AbandonSleepers() noexcept;

 private:
  using CurrentWorker = platform::ThreadLocalPtr<Worker, Worker>;

  // Counts the end of a task.
  void OnDone() noexcept;

  const std::uint64_t seed_;
  fibers::StackPool::Owner stacks_;
  Atomic<std::uint64_t> unfinished_{0};  // number of tasks submitted and not done
  platform::Mutex mutex_;
  platform::ConditionVariable is_idle_;  // notified under mutex_
  ExternalCounts external_;
  trace::SharedTracer external_tracer_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

class alignas(kCacheLine) ObservedScheduler::Worker final : public ObservedSource {
 public:
  Worker(ObservedScheduler& scheduler, std::uint64_t seed)
      : ObservedSource(scheduler, seed),
        scheduler_(scheduler) {
  }

  executors::TaskBase* PickTask() noexcept override {
    times.OnNoTask();  // TakeTask() may sleep
    return Counted(scheduler_.TakeTask(*this, true));
  }

  executors::TaskBase* TryPickTask() noexcept override {
    return Counted(scheduler_.TakeTask(*this, false));
  }

  void TaskDone(bool ended) noexcept override {
    ObservedSource::TaskDone(ended);
    scheduler_.OnDone();
  }

 private:
  executors::TaskBase* Counted(executors::TaskBase* task) noexcept {
    metrics.from_global.Add(task != nullptr ? 1 : 0);
    return Picked(task);
  }

  ObservedScheduler& scheduler_;
};

}  // namespace schedbench::schedulers
