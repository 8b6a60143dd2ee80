#include "schedulers/fast/worker.hpp"

#include "base/random.hpp"

#include <algorithm>

namespace schedbench::schedulers::fast {

namespace {

// A worker that lives on steals of a few tasks takes them as fast as their maker submits them. Each then pays for
// cache lines that go to and fro: the state word at each search, the queue's head, the task itself. A short
// pause before the next search makes one journey carry many.
constexpr std::size_t kSmallSteal = 4;  // picked out of thin air

Sharing SharingOf(const FastConfig& config) {
  return config.workers == 1 ? Sharing::kNobodySteals : Sharing::kOthersSteal;
}

}  // namespace

Worker::Worker(Pool& pool, std::uint32_t index, const FastConfig& config, std::uint64_t seed)
    : PoolWorker(pool, index, config.workers, DeriveSeed(seed, 0)),
      lifo_slot_(config.lifo_limit),
      global_poll_period_(config.global_poll_period),
      keeps_yielded_(config.yield_queue_capacity > 1),
      batch_(std::max(config.local_queue_capacity.value, config.yield_queue_capacity.value) / 2),
      steal_batch_(std::min(config.steal_batch.value, config.local_queue_capacity / 2)),
      victims_(index, config.workers, DeriveSeed(seed, 1)),
      local_queue_(config.local_queue_capacity, SharingOf(config)),
      yielded_(std::max(config.yield_queue_capacity.value, 2U), SharingOf(config)) {
}

// ---- Submitting ----

void Worker::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  Submitted(task);
  switch (hint) {
    case SchedulerHint::UpToYou:
      PushToLocalQueue(task);
      break;
    case SchedulerHint::Next:
      metrics_.submits_next.Add();
      PushToLifoSlot(task);
      break;
    case SchedulerHint::Yield:
      metrics_.submits_yield.Add();
      PushYielded(task);
      break;
  }
}

void Worker::PushToLifoSlot(TaskBase* task) noexcept {
  if (!lifo_slot_.Exists()) {
    PushToLocalQueue(task);
    return;
  }
  // A task that only its own worker can take wakes nobody.
  if (TaskBase* const displaced = lifo_slot_.Put(task)) {
    metrics_.lifo_displaced.Add();
    PushToLocalQueue(displaced);
  }
}

void Worker::PushToLocalQueue(TaskBase* task) noexcept {
  if (!local_queue_.TryPush(task)) [[unlikely]] {
    OffloadTasksToGlobalQueue(local_queue_, task);
  }
  Notify();
}

void Worker::PushYielded(TaskBase* task) noexcept {
  if (!keeps_yielded_) {
    pool_.Global().Push(task);
  } else if (!yielded_.TryPush(task)) [[unlikely]] {
    OffloadTasksToGlobalQueue(yielded_, task);
  }
  Notify();
}

void Worker::OffloadTasksToGlobalQueue(WorkStealingQueue& full, TaskBase* overflow) noexcept {
  const std::span<TaskBase*> half(batch_.data(), full.Capacity() / 2);
  for (;;) {
    if (full.TryTakeNewerHalf(half)) {
      TaskList offloaded;
      for (TaskBase* task : half) {
        offloaded.PushBack(task);
      }
      offloaded.PushBack(overflow);
      metrics_.offloads.Add();
      metrics_.tasks_offloaded.Add(offloaded.Size());
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

TaskBase* Worker::TryPickTask() noexcept {
  TaskBase* task = nullptr;
  if (--picks_until_poll_ == 0) [[unlikely]] {
    task = TryPollGlobalQueue();
    // Never twice in a row: with period 1 the polls would shut out the worker's own queues.
    picks_until_poll_ = task == nullptr ? global_poll_period_ : std::max(global_poll_period_, 2U);
  }
  if (task == nullptr) {
    task = TryPickTaskFromLifoSlot();
  }
  if (task == nullptr) {
    task = TryPickTaskFromLocalQueue();
  }
  if (task == nullptr) {
    task = TryPickYieldedTask();
  }
  if (task == nullptr) {
    task = TryGrabTasksFromGlobalQueue();
  }
  return Picked(task);
}

TaskBase* Worker::TryPollGlobalQueue() noexcept {
  metrics_.global_polls.Add();
  // Those who gave way here stand at the tail of the global queue by their order: the poll is for them too.
  if (IsTurnOfYielded()) {
    if (TaskBase* const yielded = yielded_.TryPop()) {
      metrics_.from_local.Add();
      return yielded;
    }
  }
  TaskBase* const task = pool_.Global().TryPop();
  if (task != nullptr) {
    metrics_.from_global.Add();
    metrics_.tasks_grabbed.Add();
    metrics_.global_grabs.Add();
  }
  return task;
}

TaskBase* Worker::TryPickTaskFromLifoSlot() noexcept {
  TaskBase* const task = lifo_slot_.Take();
  if (task == nullptr) {
    return nullptr;
  }
  // The limit protects those who wait in the local queue; where nobody does, the slot may go on, and the task
  // stays out of reach of thieves.
  if (!lifo_slot_.MayRun(!local_queue_.IsEmpty())) {
    metrics_.lifo_capped.Add();
    PushToLocalQueue(task);
    return nullptr;
  }
  metrics_.from_lifo.Add();
  return task;
}

TaskBase* Worker::TryPickTaskFromLocalQueue() noexcept {
  lifo_slot_.EndStreak();
  TaskBase* const task = local_queue_.TryPop();
  if (task != nullptr) {
    metrics_.from_local.Add();
    fibers::Continuation::Prefetch(local_queue_.PeekNext());
  }
  return task;
}

bool Worker::IsTurnOfYielded() noexcept {
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

TaskBase* Worker::TryPickYieldedTask() noexcept {
  if (!IsTurnOfYielded()) {
    return nullptr;
  }
  const std::size_t count = yielded_.GrabAll({batch_.data(), local_queue_.Capacity() / 2});
  if (count == 0) {
    return nullptr;
  }
  metrics_.from_local.Add();
  return KeepRest({batch_.data(), count});
}

TaskBase* Worker::TryGrabTasksFromGlobalQueue() noexcept {
  const std::size_t count =
      pool_.Global().Grab({batch_.data(), local_queue_.Capacity() / 2}, pool_.Workers().size());
  if (count == 0) {
    return nullptr;
  }
  metrics_.global_grabs.Add();
  metrics_.tasks_grabbed.Add(count);
  metrics_.from_global.Add();
  return KeepRest({batch_.data(), count});
}

TaskBase* Worker::KeepRest(std::span<TaskBase*> batch) noexcept {
  if (batch.size() > 1) {
    local_queue_.PushMany(batch.subspan(1));
    NotifyOfRest();
  }
  return batch.front();
}

TaskBase* Worker::TryStealTasks() noexcept {
  victims_.Shuffle();
  for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
    Worker& victim = *pool_.Workers()[victims_.Next()];
    metrics_.steal_attempts.Add();
    const std::size_t stolen = victim.StealTasks({batch_.data(), steal_batch_});
    if (stolen > 0) {
      metrics_.steals.Add();
      metrics_.tasks_stolen.Add(stolen);
      metrics_.from_stolen.Add();
      if (stolen <= kSmallSteal) {
        PauseBeforeSearch();
      }
      return KeepRest({batch_.data(), stolen});
    }
  }
  return nullptr;
}

}  // namespace schedbench::schedulers::fast
