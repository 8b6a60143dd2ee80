#pragma once

#include "schedulers/fast/config.hpp"
#include "schedulers/pool/lifo_slot.hpp"
#include "schedulers/pool/pool_worker.hpp"
#include "schedulers/pool/victim_order.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace schedbench::schedulers::fast {

// One worker: its queues, and how it picks the next task. Belongs to one thread; others only steal from its
// local queue and read its metrics.
//
// Order of sources: a poll of the global queue at each global_poll_period-th pick, the LIFO slot, the local queue,
// tasks that gave way here, the global queue, the queues of others. README.md tells why.
class Worker final : public PoolWorker<Worker> {
 public:
  using Config = FastConfig;
  using GlobalQueue = schedulers::GlobalQueue;

  static constexpr const char* kThreadName = "fast-";

  // `index`: 0 .. workers - 1.
  Worker(Pool& pool, std::uint32_t index, const FastConfig& config, std::uint64_t seed);

  // ---- The owner, from within a task ----

  void Submit(TaskBase* task, SchedulerHint hint) noexcept;

  // ---- For PoolWorker ----

  TaskBase* TryPickTask() noexcept override;
  TaskBase* TryGrabTasksFromGlobalQueue() noexcept;
  TaskBase* TryStealTasks() noexcept;

  // ---- Any thread ----

  std::size_t StealTasks(std::span<TaskBase*> out) noexcept {
    const std::size_t stolen = local_queue_.Grab(out);
    return stolen > 0 ? stolen : yielded_.Grab(out);
  }

  bool HasTasksToSteal() const noexcept {
    return !local_queue_.IsEmpty() || !yielded_.IsEmpty();
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

  // Of a batch: the first to run, the others to the local queue.
  TaskBase* KeepRest(std::span<TaskBase*> batch) noexcept;

  // ---- Owner only, at each task ----
  LifoSlot lifo_slot_;
  std::uint32_t picks_until_poll_ = 1;  // the very first pick polls
  const std::uint32_t global_poll_period_;
  const bool keeps_yielded_;
  // Pushed() of the global queue when the tasks in yielded_ were last looked at; 0: not looked at yet.
  std::uint64_t yield_ticket_ = 0;
  std::vector<TaskBase*> batch_;  // for tasks on their way from one queue to another
  std::size_t steal_batch_;
  VictimOrder victims_;

  // ---- Written by the owner, read by others ----
  WorkStealingQueue local_queue_;
  // Tasks that gave way. By their order they stand at the tail of the global queue; they wait here, so that
  // they stay with the caches of this worker and cost no lock. Others may steal them.
  WorkStealingQueue yielded_;
};

// The scheduler of document 004: a fixed set of workers with a queue each, a global queue that evens them out,
// and work stealing. What happens where: README.md in this folder.
using ThreadPool = WorkerPool<Worker>;

}  // namespace schedbench::schedulers::fast
