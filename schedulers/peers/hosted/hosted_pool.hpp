#pragma once

#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "metrics/task_times.hpp"
#include "metrics/worker_metrics.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/pool/read_workers.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace schedbench::schedulers::peers {

using executors::SchedulerHint;
using executors::TaskBase;

// What HostedPool requires of a foreign pool of callbacks, which is made with a number of threads.
template <typename T>
concept CallbackPool = requires(T pool, SchedulerHint hint, bool is_external, void (*callback)()) {
  // Calls `callback` once on one of its threads.
  pool.Post(callback, hint, is_external);
  // Returns the number of the calling thread, from 0. One of the pool's threads calls it.
  { pool.CurrentThread() } -> std::convertible_to<std::size_t>;
  // Ends the threads. Requires: all callbacks have been called, and no more are posted.
  pool.End();
};

// The tasks and fibers of this project on the threads of a foreign pool: each part of a fiber
// between two suspensions is one callback. This measures the pool's queues and parking with our
// fibers.
template <CallbackPool Callbacks>
class HostedPool final : public registry::IScheduler {
 public:
  HostedPool(std::uint32_t workers, std::uint64_t seed)
      : seed_(seed) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      workers_.push_back(std::make_unique<Worker>(DeriveSeed(seed, i)));
    }
    callbacks_ = std::make_unique<Callbacks>(workers);
  }

  ~HostedPool() override {
    if (callbacks_ != nullptr) {
      Stop();
    }
  }

  HostedPool(const HostedPool&) = delete;
  HostedPool& operator=(const HostedPool&) = delete;

  void Submit(TaskBase* task, SchedulerHint hint) noexcept override {
    executors::HappensBefore(*task);
    const executors::SchedulerSide side;
    Worker* const worker = CurrentWorker::Get();
    const bool is_external = worker == nullptr || worker->pool != this;
    if (is_external) {
      metrics::StampExternal(task->ready_stamp, seed_);
      external_.Count(ExternalBatch(*task));
    } else {
      worker->OnSubmit(task, hint);
    }
    callbacks_->Post([this, task] { RunHere(task); }, hint, is_external);
  }

  // Checks at intervals: foreign pools do not report that they are idle. Nothing timed may need it.
  void WaitIdle() noexcept override {
    std::chrono::microseconds pause{1};
    while (!IsIdle()) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongestPause);
    }
    executors::HappensAfter(*this);
  }

  void Stop() noexcept override {
    WaitIdle();
    callbacks_->End();
    callbacks_.reset();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return schedulers::ReadWorkers(workers_);
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return external_.Submissions();
  }
  std::uint64_t ExternalSpawns() const noexcept override {
    return external_.Spawns();
  }

 private:
  static constexpr std::chrono::microseconds kLongestPause{1000};

  // The metrics of one thread of the pool. Only this thread writes them.
  struct alignas(kCacheLine) Worker {
    explicit Worker(std::uint64_t seed)
        : sampler(seed) {
    }

    void OnSubmit(TaskBase* task, SchedulerHint hint) noexcept {
      metrics.tasks_submitted.Add();
      metrics.spawned.Add(task->kind == executors::TaskKind::kSuspendedFiber ? 0 : 1);
      metrics.submits_next.Add(hint == SchedulerHint::Next ? 1 : 0);
      metrics.submits_yield.Add(hint == SchedulerHint::Yield ? 1 : 0);
      sampler.OnReady(task->ready_stamp);
    }

    const HostedPool* pool = nullptr;
    metrics::WorkerMetrics metrics;
    metrics::TaskTimes times;
    metrics::ReadySampler sampler;
  };

  using CurrentWorker = platform::ThreadLocalPtr<Worker, HostedPool>;

  void RunHere(TaskBase* task) noexcept {
    executors::HappensAfter(*task);
    Worker& worker = *workers_[callbacks_->CurrentThread()];
    worker.pool = this;
    CurrentWorker::Set(&worker);
    worker.metrics.from_global.Add();
    worker.times.OnRun(task->ready_stamp);
    task->Run();
    // The stack belongs to this thread again; the fiber may already run on another thread.
    worker.times.OnNoTask();
    CurrentWorker::Set(nullptr);
    executors::HappensBefore(*this);
    worker.metrics.tasks_run.AddRelease();
  }

  // Returns true if, at some moment during the call, every task had run. A task counts its submits
  // before it is counted as run, and submits are read after runs. Counts only grow, and runs never
  // exceed submits. So equal sums mean that every task had run when the first submit was read.
  bool IsIdle() const noexcept {
    std::uint64_t run = 0;
    for (const auto& worker : workers_) {
      run += worker->metrics.tasks_run.GetAcquire();
    }
    std::uint64_t submitted = ExternalSubmissions();
    for (const auto& worker : workers_) {
      submitted += worker->metrics.tasks_submitted.Get();
    }
    return run == submitted;
  }

  const std::uint64_t seed_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Callbacks> callbacks_;
  alignas(kCacheLine) ExternalCounts external_;
};

}  // namespace schedbench::schedulers::peers
