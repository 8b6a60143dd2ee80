#include "schedulers/fast/worker.hpp"

#include "base/random.hpp"
#include "base/spin_wait.hpp"
#include "fibers/core/carrier.hpp"
#include "platform/fork.hpp"
#include "platform/thread_local_ptr.hpp"
#include "schedulers/fast/thread_pool.hpp"

#include <algorithm>

namespace schedbench::schedulers::fast {

namespace {

using CurrentWorker = platform::ThreadLocalPtr<Worker, class WorkerTag>;

// A worker that lives on steals of a few tasks takes them as fast as their maker submits them. Each then pays for
// cache lines that go to and fro: the state word at each search, the queue's head, the task itself. A short
// pause before the next search makes one journey carry many.
constexpr std::size_t kSmallSteal = 4;  // picked out of thin air
// About a microsecond, less than a futex wake-up takes.
constexpr std::uint32_t kPausesAfterSmallSteal = 64;

WorkStealingQueue::Sharing SharingOf(const FastConfig& config) {
  return config.workers == 1 ? WorkStealingQueue::Sharing::kNobodySteals
                             : WorkStealingQueue::Sharing::kOthersSteal;
}

}  // namespace

Worker::Worker(ThreadPool& pool, std::uint32_t index, const FastConfig& config, std::uint64_t seed)
    : ITaskSource(pool),
      pool_(pool),
      lifo_limit_(config.lifo_limit),
      global_poll_period_(config.global_poll_period),
      alone_(config.workers == 1),
      index_(index),
      sampler_(DeriveSeed(seed, 0)),
      keeps_yielded_(config.yield_queue_capacity > 1),
      batch_(std::max(config.local_queue_capacity.value, config.yield_queue_capacity.value) / 2),
      steal_batch_(std::min(config.steal_batch.value, config.local_queue_capacity / 2)),
      victims_(index, config.workers, DeriveSeed(seed, 1)),
      local_queue_(config.local_queue_capacity, SharingOf(config)),
      yielded_(std::max(config.yield_queue_capacity.value, 2U), SharingOf(config)) {
}

void Worker::Work() noexcept {
  // In a child what a task submits comes from outside, where it is refused.
  [[maybe_unused]] static const bool forgets = platform::CallInChildren([]() noexcept {
    CurrentWorker::Set(nullptr);
  });
  CurrentWorker::Set(this);
  fibers::Carrier::RunLoop(*this, pool_.Stacks());
  CurrentWorker::Set(nullptr);
}

Worker* Worker::Current() noexcept {
  return CurrentWorker::Get();
}

// ---- Submitting ----

void Worker::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  // Before the task can be seen by others: WaitIdle relies on it.
  metrics_.tasks_submitted.Add();
  sampler_.OnReady(task->ready_stamp);
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
  if (lifo_limit_ == 0) {
    PushToLocalQueue(task);
    return;
  }
  TaskBase* const displaced = lifo_slot_;
  lifo_slot_ = task;
  // A task that only its own worker can take wakes nobody.
  if (displaced != nullptr) {
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

void Worker::Notify() noexcept {
  if (!alone_ && pool_.Coordination().Notify()) {
    metrics_.wakes_sent.Add();
  }
}

// ---- Picking ----

TaskBase* Worker::Picked(TaskBase* task) noexcept {
  latency_.OnRun(task->ready_stamp);
  return task;
}

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
  return task == nullptr ? nullptr : Picked(task);
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
  TaskBase* const task = lifo_slot_;
  if (task == nullptr) {
    return nullptr;
  }
  lifo_slot_ = nullptr;
  // The limit protects those who wait in the local queue; where nobody does, the slot may go on, and the task
  // stays out of reach of thieves.
  if (lifo_streak_ >= lifo_limit_ && !local_queue_.IsEmpty()) {
    metrics_.lifo_capped.Add();
    PushToLocalQueue(task);
    return nullptr;
  }
  ++lifo_streak_;
  metrics_.from_lifo.Add();
  return task;
}

TaskBase* Worker::TryPickTaskFromLocalQueue() noexcept {
  lifo_streak_ = 0;
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
  const GlobalQueue& global = pool_.Global();
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
    // While we search, others rely on FoundWork() to wake the next one.
    if (!searching_) {
      Notify();
    }
  }
  return batch.front();
}

void Worker::TaskDone() noexcept {
  // After all that the task submitted: WaitIdle relies on it.
  metrics_.tasks_run.AddRelease();
}

void Worker::RunAgain() noexcept {
  metrics_.tasks_submitted.Add();
  metrics_.submits_yield.Add();
  metrics_.from_self.Add();
  metrics_.tasks_run.AddRelease();
}

// ---- Searching and parking ----

TaskBase* Worker::PickTask() noexcept {
  while (!stopping_) {
    TaskBase* task = TryPickTask();
    if (task == nullptr) {
      task = Search();
    }
    if (task == nullptr) {
      task = ParkUnlessWorkTurnsUp();
    }
    if (task != nullptr) {
      if (searching_) {
        FoundWork();
      }
      just_woken_ = false;
      return task;
    }
  }
  return nullptr;
}

void Worker::BeginSearch() noexcept {
  if (searching_ || alone_) {
    return;
  }
  if (small_steal_) {
    // What was stolen last was hardly worth the journey of the cache lines: lets the victim gather some more.
    small_steal_ = false;
    for (std::uint32_t i = 0; i < kPausesAfterSmallSteal; ++i) {
      CpuRelax();
    }
  }
  if (pool_.Coordination().TryBeginSearch()) {
    searching_ = true;
    metrics_.searches.Add();
  } else {
    metrics_.searches_denied.Add();
  }
}

TaskBase* Worker::Search() noexcept {
  BeginSearch();
  if (!searching_) {
    return nullptr;
  }
  TaskBase* task = TryStealTasks();
  if (task == nullptr) {
    task = TryGrabTasksFromGlobalQueue();
  }
  return task == nullptr ? nullptr : Picked(task);
}

TaskBase* Worker::TryStealTasks() noexcept {
  if (alone_) {
    return nullptr;
  }
  victims_.Shuffle();
  for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
    Worker& victim = *pool_.Workers()[victims_.Next()];
    metrics_.steal_attempts.Add();
    const std::size_t stolen = victim.StealTasks({batch_.data(), steal_batch_});
    if (stolen > 0) {
      metrics_.steals.Add();
      metrics_.tasks_stolen.Add(stolen);
      metrics_.from_stolen.Add();
      small_steal_ = stolen <= kSmallSteal;
      return KeepRest({batch_.data(), stolen});
    }
  }
  return nullptr;
}

void Worker::FoundWork() noexcept {
  searching_ = false;
  Coordinator& coordinator = pool_.Coordination();
  if (coordinator.EndSearch() && pool_.HasWork()) {
    Notify();
  }
}

TaskBase* Worker::ParkUnlessWorkTurnsUp() noexcept {
  Coordinator& coordinator = pool_.Coordination();
  const auto announced = coordinator.AnnouncePark(index_, searching_);
  searching_ = false;
  if (announced.look_around && pool_.HasWork() && coordinator.CancelPark(index_)) {
    searching_ = true;
    metrics_.parks_cancelled.Add();
    return TryPickTaskBeforePark();
  }
  if (announced.last && coordinator.TryEnd(index_)) {
    stopping_ = true;
    return nullptr;
  }
  Park();
  return nullptr;
}

TaskBase* Worker::TryPickTaskBeforePark() noexcept {
  TaskBase* const task = TryPickTask();
  return task != nullptr ? task : Search();
}

void Worker::Park() noexcept {
  if (just_woken_) {
    metrics_.noop_wakes.Add();
  }
  metrics_.parks.Add();
  metrics_.park_ns.Start();
  stopping_ = !pool_.Coordination().Park(index_);
  metrics_.park_ns.Stop();
  searching_ = true;
  just_woken_ = true;
}

}  // namespace schedbench::schedulers::fast
