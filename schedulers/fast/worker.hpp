#pragma once

#include "base/random.hpp"
#include "schedulers/fast/config.hpp"
#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/slot_worker.hpp"
#include "schedulers/pool/victim_order.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace schedbench::schedulers::fast {

// One worker: its queues, and how it picks the next task. Belongs to one thread; others only steal from its
// queues and slot and read its metrics.
//
// Order of sources: a poll of the global queue at each global_poll_period-th pick, the LIFO slot, the local queue,
// tasks that gave way here, the global queue, the queues of others. README.md tells why.
template <typename Global>
class Worker final : public SlotWorker<Worker<Global>> {
  using Base = SlotWorker<Worker>;
  using Base::lifo_slot_;
  using Base::metrics_;
  using Base::pool_;
  using Base::wakes_for_slot_;

 public:
  using Config = FastConfig;
  using GlobalQueue = Global;
  using typename Base::Pool;

  static constexpr const char* kThreadName = "fast-";
  static constexpr bool kMayShareCounter = true;

  static QuiescenceCriterion QuiescenceOf(const FastConfig& config) noexcept {
    return config.wait_idle;
  }

  // `index`: 0 .. workers - 1.
  Worker(Pool& pool, std::uint32_t index, const FastConfig& config, std::uint64_t seed);

  // ---- The owner, from within a task ----

  void Submit(TaskBase* task, SchedulerHint hint) noexcept;
  void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept;

  // ---- For PoolWorker and SlotWorker ----

  TaskBase* TryPollGlobalQueue() noexcept;
  TaskBase* TryPickTaskFromQueues() noexcept;
  void PushAndNotify(TaskBase* task) noexcept;
  bool HasTasksInLocalQueue() const noexcept {
    return !local_queue_.IsEmpty();
  }

  std::size_t TasksToRun() const noexcept {
    return local_queue_.Size() + yielded_.Size();
  }

  TaskList HandOffTasks() noexcept;
  TaskBase* TryGrabTasksFromGlobalQueue() noexcept;
  TaskBase* TryStealTasks() noexcept;

  // ---- Any thread ----

  bool HasTasksToSteal() const noexcept {
    return !local_queue_.IsEmpty() || !yielded_.IsEmpty() ||
           (wakes_for_slot_ && !lifo_slot_.IsEmptyForThieves());
  }

  std::vector<QueueDepth> Depths() const {
    return {{"LIFO slot", lifo_slot_.HoldsTask() ? 1U : 0U},
            {"local queue", local_queue_.Size()},
            {"yield queue", yielded_.Size()}};
  }

 private:
  // A worker that lives on steals of a few tasks takes them as fast as their maker submits them. Each then pays for
  // cache lines that go to and fro: the state word at each search, the queue's head, the task itself. A short
  // pause before the next search makes one journey carry many.
  static constexpr std::size_t kSmallSteal = 4;  // picked out of thin air

  static Sharing SharingOf(const FastConfig& config) {
    return config.workers == 1 ? Sharing::kNobodySteals : Sharing::kOthersSteal;
  }

  // The most that is on its way at a time: half of a ring, or what a grab takes.
  static std::size_t BatchSize(const FastConfig& config) {
    const std::size_t ring =
        std::max(config.local_queue_capacity.value, config.yield_queue_capacity.value);
    return std::max(ring / 2, GrabOf(config.global_grab, config.local_queue_capacity).most);
  }

  // What becomes of a submitted task. Both leave it to the caller to notify the others.
  void PushToLocalQueue(TaskBase* task) noexcept;
  void PushYielded(TaskBase* task) noexcept;
  void OffloadTasksToGlobalQueue(WorkStealingQueue& full, TaskBase* overflow) noexcept;

  // Where the next task comes from; null where there is none.
  TaskBase* TryPickTaskFromLocalQueue() noexcept;
  TaskBase* TryPickYieldedTask() noexcept;
  // Whether all that was in the global queue before the tasks that gave way is taken, by whomever.
  bool IsTurnOfYielded() noexcept;
  TaskBase* TryStealFromQueuesOf(std::uint32_t victim) noexcept;
  TaskBase* TryStealFromSlots() noexcept;

  // Of a batch: the first to run, the others to the local queue.
  TaskBase* EnqueueBatch(std::span<TaskBase*> batch) noexcept;

  // ---- Owner only, at each task ----
  const bool keeps_yielded_;
  const bool steals_from_slots_;
  const std::uint32_t small_steal_pause_;
  // Pushed() of the global queue when the tasks in yielded_ were last looked at; 0: not looked at yet.
  std::uint64_t yield_ticket_ = 0;
  const GlobalGrab global_grab_;
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
template <typename Global>
using ThreadPool = WorkerPool<Worker<Global>>;

template <typename Global>
Worker<Global>::Worker(Pool& pool, std::uint32_t index, const FastConfig& config,
                       std::uint64_t seed)
    : Base(pool, index, config.workers, DeriveSeed(seed, 0), config.global_poll_period,
           {.limit = config.lifo_limit,
            .open_to_thieves = config.lifo_steal != LifoSteal::kNever && config.workers > 1,
            .wakes_thieves = config.lifo_steal == LifoSteal::kWake}),
      keeps_yielded_(config.yield_queue_capacity > 1),
      steals_from_slots_(config.lifo_steal != LifoSteal::kNever),
      small_steal_pause_(config.small_steal_pause),
      global_grab_(GrabOf(config.global_grab, config.local_queue_capacity)),
      batch_(BatchSize(config)),
      steal_batch_(std::min(config.steal_batch.value, config.local_queue_capacity / 2)),
      victims_(config.victim, index, config.workers, DeriveSeed(seed, 1)),
      local_queue_(config.local_queue_capacity, SharingOf(config)),
      yielded_(std::max(config.yield_queue_capacity.value, 2U), SharingOf(config)) {
}

// ---- Submitting ----

template <typename Global>
void Worker<Global>::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  Base::Submitted(task, hint);
  switch (hint) {
    case SchedulerHint::UpToYou:
      PushAndNotify(task);
      break;
    case SchedulerHint::Next:
      metrics_.submits_next.Add();
      Base::PushNext(task);
      break;
    case SchedulerHint::Yield:
      metrics_.submits_yield.Add();
      PushYielded(task);
      Base::Notify();
      break;
  }
}

template <typename Global>
void Worker<Global>::SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept {
  if (hint == SchedulerHint::Next) {
    // Each displaces the one before it.
    while (TaskBase* const task = tasks.TryPopFront()) {
      Submit(task, hint);
    }
    return;
  }
  const std::size_t count = tasks.Size();
  while (TaskBase* const task = tasks.TryPopFront()) {
    Base::Submitted(task, hint);
    if (hint == SchedulerHint::Yield) {
      metrics_.submits_yield.Add();
      PushYielded(task);
    } else {
      PushToLocalQueue(task);
    }
  }
  Base::NotifyMany(count);
}

template <typename Global>
void Worker<Global>::PushAndNotify(TaskBase* task) noexcept {
  PushToLocalQueue(task);
  Base::Notify();
}

template <typename Global>
void Worker<Global>::PushToLocalQueue(TaskBase* task) noexcept {
  if (!local_queue_.TryPush(task)) [[unlikely]] {
    OffloadTasksToGlobalQueue(local_queue_, task);
  }
}

template <typename Global>
void Worker<Global>::PushYielded(TaskBase* task) noexcept {
  if (!keeps_yielded_) {
    pool_.Global().Push(task);
  } else {
    if (yield_ticket_ != 0 && yielded_.IsEmpty()) {
      yield_ticket_ = 0;  // that of others, whom thieves have taken
    }
    if (!yielded_.TryPush(task)) [[unlikely]] {
      OffloadTasksToGlobalQueue(yielded_, task);
    }
  }
}

template <typename Global>
void Worker<Global>::OffloadTasksToGlobalQueue(WorkStealingQueue& full,
                                               TaskBase* overflow) noexcept {
  const std::span<TaskBase*> half(batch_.data(), full.Capacity() / 2);
  for (;;) {
    if (full.TryTakeNewerHalf(half)) {
      TaskList offloaded;
      for (TaskBase* task : half) {
        offloaded.PushBack(task);
      }
      offloaded.PushBack(overflow);
      Base::Offloaded(offloaded.Size());
      pool_.Global().Append(std::move(offloaded));
      return;
    }
    // Thieves have made room meanwhile.
    if (full.TryPush(overflow)) {
      return;
    }
  }
}

// ---- Picking ----

template <typename Global>
TaskBase* Worker<Global>::TryPickTaskFromQueues() noexcept {
  TaskBase* task = TryPickTaskFromLocalQueue();
  if (task == nullptr) {
    task = TryPickYieldedTask();
  }
  if (task == nullptr) {
    task = TryGrabTasksFromGlobalQueue();
  }
  return task;
}

template <typename Global>
TaskList Worker<Global>::HandOffTasks() noexcept {
  TaskList tasks;
  if (TaskBase* const task = lifo_slot_.Take()) {
    tasks.PushBack(task);
  }
  for (WorkStealingQueue* const queue : {&local_queue_, &yielded_}) {
    while (TaskBase* const task = queue->TryPop()) {
      tasks.PushBack(task);
    }
  }
  yield_ticket_ = 0;
  return tasks;
}

template <typename Global>
TaskBase* Worker<Global>::TryPollGlobalQueue() noexcept {
  // Those who gave way here stand at the tail of the global queue by their order: the poll is for them too.
  if (IsTurnOfYielded()) {
    if (TaskBase* const yielded = yielded_.TryPop()) {
      metrics_.from_local.Add();
      return yielded;
    }
  }
  TaskBase* const task = pool_.Global().TryPop();
  if (task != nullptr) {
    Base::RecordGrab(1);
  }
  return task;
}

template <typename Global>
TaskBase* Worker<Global>::TryPickTaskFromLocalQueue() noexcept {
  lifo_slot_.EndStreak();
  TaskBase* const task = local_queue_.TryPop();
  if (task != nullptr) {
    metrics_.from_local.Add();
    fibers::FiberStack::Prefetch(local_queue_.PeekNext());
  }
  return task;
}

template <typename Global>
bool Worker<Global>::IsTurnOfYielded() noexcept {
  if (yielded_.IsEmpty()) {
    return false;
  }
  const TaskCounts& global = pool_.Global().Counts();
  if (yield_ticket_ == 0) {
    yield_ticket_ = global.Pushed();
  }
  if (global.Taken() < yield_ticket_) {
    return false;
  }
  yield_ticket_ = 0;
  return true;
}

template <typename Global>
TaskBase* Worker<Global>::TryPickYieldedTask() noexcept {
  if (!IsTurnOfYielded()) {
    return nullptr;
  }
  const std::size_t count = yielded_.GrabAll({batch_.data(), local_queue_.Capacity() / 2});
  if (count == 0) {
    return nullptr;
  }
  metrics_.from_local.Add();
  return EnqueueBatch({batch_.data(), count});
}

template <typename Global>
TaskBase* Worker<Global>::TryGrabTasksFromGlobalQueue() noexcept {
  const std::size_t count = pool_.Global().Grab({batch_.data(), global_grab_.most},
                                                global_grab_.Sharers(pool_.ActiveWorkers()));
  if (count == 0) {
    return nullptr;
  }
  Base::RecordGrab(count);
  return EnqueueBatch({batch_.data(), count});
}

template <typename Global>
TaskBase* Worker<Global>::EnqueueBatch(std::span<TaskBase*> batch) noexcept {
  if (batch.size() > 1) {
    local_queue_.PushMany(batch.subspan(1));
    Base::NotifyOfMoreTasks();
  }
  return batch.front();
}

template <typename Global>
TaskBase* Worker<Global>::TryStealTasks() noexcept {
  victims_.BeginSweep();
  for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
    if (TaskBase* const task = TryStealFromQueuesOf(victims_.Next())) {
      victims_.RecordSuccess();
      return task;
    }
  }
  return steals_from_slots_ ? TryStealFromSlots() : nullptr;
}

template <typename Global>
TaskBase* Worker<Global>::TryStealFromQueuesOf(std::uint32_t index) noexcept {
  Worker& victim = *pool_.Workers()[index];
  metrics_.steal_attempts.Add();
  const std::span<TaskBase*> out(batch_.data(), steal_batch_);
  std::size_t stolen = victim.local_queue_.Grab(out);
  if (stolen == 0) {
    stolen = victim.yielded_.Grab(out);
  }
  if (stolen == 0) {
    return nullptr;
  }
  Base::Stole(index, stolen);
  if (stolen <= kSmallSteal) {
    Base::PauseBeforeSearch(small_steal_pause_);
  }
  return EnqueueBatch(out.first(stolen));
}

// Last of all: the task in a slot has its data in its worker's cache, and runs there next.
template <typename Global>
TaskBase* Worker<Global>::TryStealFromSlots() noexcept {
  // In the order of the sweep before, which is at its begin again.
  for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
    metrics_.steal_attempts.Add();
    const std::uint32_t victim = victims_.Next();
    if (TaskBase* const task = pool_.Workers()[victim]->lifo_slot_.TrySteal()) {
      victims_.RecordSuccess();
      metrics_.lifo_stolen.Add();
      Base::Stole(victim, 1);
      Base::PauseBeforeSearch(small_steal_pause_);
      return task;
    }
  }
  return nullptr;
}

}  // namespace schedbench::schedulers::fast
