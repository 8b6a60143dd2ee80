#pragma once

#include "config/field.hpp"
#include "fibers/core/stack_config.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace schedbench::schedulers::global_fifo {

struct GlobalFifoConfig {
  // clang-format off
  config::Field<"workers", 0U, config::Range{0U, 1024U},
      "Worker threads; 0 = one per CPU that the process may use"> workers;
  config::Group<"stacks", fibers::StackConfig, "Stacks of the fibers"> stacks;
  // clang-format on
};

using executors::SchedulerHint;
using executors::TaskBase;

// The baseline of the toucan report and the Scalable Scheduler task: one queue, one lock, first in,
// first out. Hints change nothing. It is as good as this design allows: the lock spins before it
// sleeps, the queue is intrusive, a submit wakes a worker only if one sleeps and is not woken yet,
// and a finished task costs no lock. (I1) mutex_ guards all queue state. (I2) A worker sleeps only
// while the queue is empty, and sleepers_ counts it before it releases the lock: a submit either
// comes first and is seen, or sees it. (I3) wakes_under_way_ <= sleepers_ counts notifications that
// no sleeper has answered; a worker that checks the queue answers one. A spurious wake-up may
// answer instead of the notified worker, which costs one more notification.
class ThreadPool final : public registry::IScheduler {
 public:
  // Starts the workers. Requires: config.workers >= 1.
  ThreadPool(const GlobalFifoConfig& config, std::uint64_t seed);
  ~ThreadPool() override;

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;
  void WaitIdle() noexcept override;
  void Stop() noexcept override;
  std::vector<registry::WorkerReading> ReadWorkers() const override;
  metrics::MetricValues ReadPool() const override;
  registry::PoolState State() const override;
  registry::Tracers Tracers() noexcept override;
  std::uint64_t ExternalSubmissions() const noexcept override {
    return external_.Submissions();
  }
  std::uint64_t ExternalSpawns() const noexcept override {
    return external_.Spawns();
  }

 private:
  class Worker;
  using CurrentWorker = platform::ThreadLocalPtr<Worker, Worker>;

  // Returns the oldest task; null when stopped and empty. Blocks.
  TaskBase* Take(Worker& worker) noexcept;
  TaskBase* TryTake(Worker& worker) noexcept;
  // Returns whether a worker sleeps and is to be woken.
  bool Push(TaskBase* task, bool is_external) noexcept;
  // Lets all workers leave. Requires: mutex_ is held.
  void End() noexcept;

  fibers::StackPool::Owner stacks_;
  const std::uint64_t seed_;

  mutable platform::Mutex mutex_;
  platform::ConditionVariable has_task_;
  platform::ConditionVariable is_idle_;
  // Written under mutex_, read without: a report on a stuck pool must not get stuck itself.
  ExternalCounts external_;
  metrics::Tally lock_waits_;  // waits for mutex_
  // mutex_ guards these fields.
  IntrusiveList<TaskBase> tasks_;
  std::size_t sleepers_ = 0;  // workers without a task
  std::size_t wakes_under_way_ = 0;
  std::size_t idle_waiters_ = 0;
  bool stopped_ = false;  // the workers end when nothing is left
  bool ended_ = false;    // nothing is left

  trace::SharedTracer external_tracer_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<platform::Thread> threads_;
};

}  // namespace schedbench::schedulers::global_fifo
