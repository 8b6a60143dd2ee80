#pragma once

#include "base/cache_line.hpp"
#include "executors/hint.hpp"
#include "executors/task.hpp"
#include "executors/task_source.hpp"
#include "fibers/core/trace_ready.hpp"
#include "metrics/task_times.hpp"
#include "metrics/worker_metrics.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::schedulers {

// What the workers have in common that sleep when the queue of all is empty: how they count. Belongs to one thread; others read
// `metrics` and `times`.
class ParkingSource : public executors::ITaskSource {
 public:
  ParkingSource(executors::IExecutor& pool, std::uint64_t seed)
      : ITaskSource(pool),
        sampler_(seed) {
  }

  void TaskDone(bool ended) noexcept final {
    metrics.ended.Add(ended ? 1 : 0);
    metrics.tasks_run.AddRelease();
  }

  void RunAgain() noexcept override {
    times.OnNoTask();
    metrics.tasks_submitted.Add();
    metrics.submits_yield.Add();
    metrics.from_self.Add();
    metrics.tasks_run.AddRelease();
  }

  void Migrated() noexcept final {
    metrics.migrations.Add();
  }

  // Counts a task that this worker submits. Before others can see it.
  void OnSubmit(executors::TaskBase& task, executors::SchedulerHint hint) noexcept {
    fibers::TraceReady(Tracing(), task, hint);
    metrics.tasks_submitted.Add();
    metrics.spawned.Add(task.kind == executors::TaskKind::kSuspendedFiber ? 0 : 1);
    metrics.submits_next.Add(hint == executors::SchedulerHint::Next ? 1 : 0);
    metrics.submits_yield.Add(hint == executors::SchedulerHint::Yield ? 1 : 0);
    sampler_.OnReady(task.ready_stamp);
  }

  // Around each sleep.
  void BeginPark() noexcept {
    SetActivity(executors::WorkerActivity::kPark);
    metrics.parks.Add();
    metrics.park_ns.Start();
  }
  void EndPark() noexcept {
    metrics.park_ns.Stop();
    SetActivity(executors::WorkerActivity::kRun);
  }

  metrics::WorkerMetrics metrics;
  metrics::TaskTimes times;

 protected:
  ~ParkingSource() = default;

  // A task on its way to Run(), or null.
  executors::TaskBase* Picked(executors::TaskBase* task) noexcept {
    if (task != nullptr) {
      times.OnRun(task->ready_stamp);
    }
    return task;
  }

 private:
  metrics::ReadySampler sampler_;
};

}  // namespace schedbench::schedulers
