#pragma once

#include "base/cache_line.hpp"
#include "metrics/counter.hpp"
#include "metrics/worker_metrics.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace schedbench::schedulers::peers {

// The common part of native peers: a runtime whose tasks do not have a stack of their own, so each
// runs on one thread from start to end. It counts for the audit as cheaply as our schedulers do.
class NativeScheduler : public registry::IScheduler {
 public:
  // The metrics of one thread that runs tasks. Only this thread writes them.
  struct alignas(kCacheLine) Worker {
    metrics::WorkerMetrics metrics;
  };

  explicit NativeScheduler(std::uint32_t workers) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      workers_.push_back(std::make_unique<Worker>());
    }
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    std::vector<registry::WorkerReading> readings;
    for (const auto& worker : workers_) {
      readings.push_back(
          {.values = metrics::ReadMetrics(worker->metrics), .wakeup_ticks = {}, .run_ticks = {}});
    }
    return readings;
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return external_.Get();
  }

 protected:
  // The worker of the calling thread; null outside. A plain variable: no task changes its thread.
  static inline constinit thread_local Worker* current_ = nullptr;

  Worker& At(std::size_t index) noexcept {
    return *workers_[index];
  }

  // Counts a new task.
  void CountSpawn() noexcept {
    if (Worker* const worker = current_) {
      worker->metrics.spawned.Add();
    } else {
      external_.Add();
    }
  }

  // Counts a task that begins. A worker calls this.
  static void CountRun() noexcept {
    current_->metrics.tasks_run.Add();
  }

 private:
  std::vector<std::unique_ptr<Worker>> workers_;
  metrics::Tally external_;  // written by the thread that runs the workload
};

}  // namespace schedbench::schedulers::peers
