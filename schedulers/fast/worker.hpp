#pragma once

#include "base/cache_line.hpp"
#include "executors/task_source.hpp"
#include "metrics/wakeup_latency.hpp"
#include "metrics/worker_metrics.hpp"
#include "schedulers/fast/config.hpp"
#include "schedulers/fast/victim_order.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace schedbench::schedulers::fast {

using executors::SchedulerHint;
using executors::TaskBase;

class ThreadPool;

// One worker: its queues, and how it picks the next task. Belongs to one thread; others only steal from its
// local queue and read its metrics.
//
// Order of sources: a poll of the global queue at each global_poll_period-th pick, the LIFO slot, the local queue,
// tasks that gave way here, the global queue, the queues of others. README.md tells why.
class alignas(kCacheLine) Worker final : public executors::ITaskSource {
 public:
  // `index`: 0 .. workers - 1.
  Worker(ThreadPool& pool, std::uint32_t index, const FastConfig& config, std::uint64_t seed);

  // Serves until the pool stops. The thread's whole work.
  void Work() noexcept;

  // The worker whose thread this is, or null.
  static Worker* Current() noexcept;

  bool IsOf(const ThreadPool& pool) const noexcept {
    return &pool_ == &pool;
  }

  // ---- The owner, from within a task ----

  void Submit(TaskBase* task, SchedulerHint hint) noexcept;

  // ---- ITaskSource ----

  TaskBase* PickTask() noexcept override;
  TaskBase* TryPickTask() noexcept override;
  void TaskDone() noexcept override;
  void RunAgain() noexcept override;

  // ---- Any thread ----

  std::size_t StealTasks(std::span<TaskBase*> out) noexcept {
    const std::size_t stolen = local_queue_.Grab(out);
    return stolen > 0 ? stolen : yielded_.Grab(out);
  }

  bool HasTasksToSteal() const noexcept {
    return !local_queue_.IsEmpty() || !yielded_.IsEmpty();
  }

  const metrics::WorkerMetrics& Metrics() const noexcept {
    return metrics_;
  }

  const metrics::WakeupLatency& Latency() const noexcept {
    return latency_;
  }

 private:
  // What becomes of a submitted task.
  void PushToLifoSlot(TaskBase* task) noexcept;
  void PushToLocalQueue(TaskBase* task) noexcept;
  void PushYielded(TaskBase* task) noexcept;
  void OffloadTasksToGlobalQueue(WorkStealingQueue& full, TaskBase* overflow) noexcept;

  // Where the next task comes from; null where there is none.
  TaskBase* TryPollGlobalQueue() noexcept;
  TaskBase* TryPickTaskFromLifoSlot() noexcept;
  TaskBase* TryPickTaskFromLocalQueue() noexcept;
  TaskBase* TryPickYieldedTask() noexcept;
  // Whether all that was in the global queue before the tasks that gave way is taken, by whomever.
  bool IsTurnOfYielded() noexcept;
  TaskBase* TryGrabTasksFromGlobalQueue() noexcept;
  TaskBase* TryStealTasks() noexcept;

  // A task that has been picked, on its way to Run().
  TaskBase* Picked(TaskBase* task) noexcept;
  // Of a batch: the first to run, the others to the local queue.
  TaskBase* KeepRest(std::span<TaskBase*> batch) noexcept;

  // The way to sleep. Each returns a task that turned up, or null.
  TaskBase* Search() noexcept;
  TaskBase* ParkUnlessWorkTurnsUp() noexcept;
  TaskBase* TryPickTaskBeforePark() noexcept;
  void Park() noexcept;
  void BeginSearch() noexcept;
  void FoundWork() noexcept;
  void Notify() noexcept;

  // ---- Owner only, at each task ----
  ThreadPool& pool_;
  TaskBase* lifo_slot_ = nullptr;
  std::uint32_t lifo_streak_ = 0;       // tasks run from the slot in a row
  std::uint32_t picks_until_poll_ = 1;  // the very first pick polls
  const std::uint32_t lifo_limit_;
  const std::uint32_t global_poll_period_;
  const bool alone_;          // the only worker: nobody to wake, nobody to steal from
  bool searching_ = false;    // counted as searching in the coordinator
  bool small_steal_ = false;  // the last steal took only a few tasks
  bool just_woken_ = false;   // woken, and no task found since
  bool stopping_ = false;
  const std::uint32_t index_;
  metrics::ReadySampler sampler_;
  const bool keeps_yielded_;
  // Pushed() of the global queue when the tasks in yielded_ were last looked at; 0: not looked at yet.
  std::uint64_t yield_ticket_ = 0;
  std::vector<TaskBase*> batch_;  // for tasks on their way from one queue to another
  std::size_t steal_batch_;
  VictimOrder victims_;

  // ---- Written by the owner, read by others ----
  alignas(kCacheLine) metrics::WorkerMetrics metrics_;
  alignas(kCacheLine) metrics::WakeupLatency latency_;
  WorkStealingQueue local_queue_;
  // Tasks that gave way. By their order they stand at the tail of the global queue; they wait here, so that
  // they stay with the caches of this worker and cost no lock. Others may steal them.
  WorkStealingQueue yielded_;
};

}  // namespace schedbench::schedulers::fast
