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

// What every worker counts and records. Belongs to one thread; any may read `metrics` and `times`.
class ObservedSource : public executors::ITaskSource {
 public:
  ObservedSource(executors::IExecutor& pool, std::uint64_t seed)
      : ITaskSource(pool),
        sampler_(seed) {
  }

  // ---- ITaskSource ----

  void TaskDone(bool ended) noexcept override {
    // Both counts come after all that the task submitted: WaitIdle relies on it.
    if (ended) {
      metrics.ended.AddRelease();
    }
    metrics.tasks_run.AddRelease();
  }

  void RunAgain() noexcept override {
    times.OnNoTask();
    metrics.tasks_submitted.Add();
    metrics.submits_yield.Add();
    metrics.from_self.Add();
    metrics.tasks_run.AddRelease();
  }

  void Preempted(bool by_signal) noexcept final {
    ITaskSource::Preempted(by_signal);
    (by_signal ? static_cast<metrics::Tally&>(metrics.signal_preemptions)
               : metrics.coop_preemptions)
        .Add();
    Tracing().Record(trace::EventKind::kPreemption, 0, by_signal ? 1 : 0);
  }

  void Migrated() noexcept final {
    metrics.migrations.Add();
  }

  // ---- The owner ----

  // Counts a task that this worker submits, before other threads can see it: WaitIdle relies on it.
  SB_ALWAYS_INLINE void OnSubmit(executors::TaskBase& task,
                                 executors::SchedulerHint hint) noexcept {
    fibers::TraceReady(Tracing(), task, hint);
    metrics.tasks_submitted.Add();
    if (task.kind != executors::TaskKind::kSuspendedFiber) {
      metrics.spawned.Add();
    }
    sampler_.OnReady(task.ready_stamp);
  }

  // Counts the hint of a submitted task.
  void CountHint(executors::SchedulerHint hint) noexcept {
    metrics.submits_next.Add(hint == executors::SchedulerHint::Next ? 1 : 0);
    metrics.submits_yield.Add(hint == executors::SchedulerHint::Yield ? 1 : 0);
  }

  // Call these around each sleep.
  void BeginPark() noexcept {
    SetActivity(executors::WorkerActivity::kPark);
    metrics.parks.Add();
    metrics.park_ns.Start();
  }
  void EndPark() noexcept {
    metrics.park_ns.Stop();
    SetActivity(executors::WorkerActivity::kRun);
  }

 private:
  metrics::ReadySampler sampler_;

 public:
  // The owner writes them and any thread reads them, so they have cache lines of their own.
  alignas(kCacheLine) metrics::WorkerMetrics metrics;
  alignas(kCacheLine) metrics::TaskTimes times;

 protected:
  ~ObservedSource() = default;

  // Passes on a task that is about to run, or null.
  SB_ALWAYS_INLINE executors::TaskBase* Picked(executors::TaskBase* task) noexcept {
    if (PreemptionRequested()) [[unlikely]] {
      EndPreemptionRequest();  // it was for the task before
    }
    if (task != nullptr) {
      times.OnRun(task->ready_stamp);
    }
    return task;
  }

  // Counts tasks taken from the global queue, of which one runs at once.
  void OnGrab(std::size_t count) noexcept {
    metrics.from_global.Add();
    metrics.global_grabs.Add();
    metrics.tasks_grabbed.Add(count);
    Tracing().Record(trace::EventKind::kGrab, 0, static_cast<std::uint32_t>(count));
  }

  // Counts a batch that goes to the global queue.
  void OnOffload(std::size_t count) noexcept {
    metrics.offloads.Add();
    metrics.tasks_offloaded.Add(count);
    Tracing().Record(trace::EventKind::kOffload, 0, static_cast<std::uint32_t>(count));
  }

  // Counts a blocking call of a fiber that lets other threads take over the worker.
  void OnBlockingCall(executors::BlockingCall call) noexcept {
    metrics.blocking_calls.Add();
    Tracing().Record(trace::EventKind::kBlockingCall, 0,
                     call == executors::BlockingCall::kShort ? 1 : 0);
  }

  // Records that the worker leaves its thread in a blocking call.
  void OnHandOff() noexcept {
    Tracing().Record(trace::EventKind::kHandOff);
  }

  // Records that this worker's poll of the network made `fibers` ready. Returns whether any were.
  bool OnNetPoll(std::size_t fibers) noexcept {
    if (fibers != 0) {
      Tracing().Record(trace::EventKind::kNetPoll, 0, static_cast<std::uint32_t>(fibers));
    }
    return fibers != 0;
  }

  void RecordQueueLength(trace::QueueKind queue, std::size_t tasks) noexcept {
    Tracing().Record(trace::EventKind::kQueueLength, static_cast<std::uint32_t>(tasks),
                     static_cast<std::uint32_t>(queue));
  }
};

}  // namespace schedbench::schedulers
