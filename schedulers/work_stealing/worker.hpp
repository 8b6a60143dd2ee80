#pragma once

#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/slot_worker.hpp"
#include "schedulers/pool/victim_order.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/work_stealing/config.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace schedbench::schedulers::work_stealing {

// A worker made of parts: a local queue, a global queue, and a choice at each point where documents 000, 003 and 004
// differ. The plain textbook scheduler, against which `fast` and its tricks can be held. Belongs to one thread; others
// only steal from its local queue and read its metrics.
template <typename LocalQueue, typename Global>
class Worker final : public SlotWorker<Worker<LocalQueue, Global>> {
  using Base = SlotWorker<Worker>;
  using Base::lifo_slot_;
  using Base::metrics_;
  using Base::pool_;

 public:
  using Config = WorkStealingConfig;
  using GlobalQueue = Global;
  using typename Base::Pool;

  static constexpr const char* kThreadName = "steal-";
  static constexpr bool kMayNotifyAll = true;

  static bool NotifiesAll(const Config& config) noexcept {
    return config.notify == NotifyMode::kAllUnderLock;
  }

  // `index`: 0 .. workers - 1.
  Worker(Pool& pool, std::uint32_t index, const Config& config, std::uint64_t seed)
      : Base(pool, index, config.workers, DeriveSeed(seed, 0), config.global_poll_period,
             {.limit = config.pick_order == PickOrder::kS4 ? config.lifo_limit.value : 0U}),
        takes_whole_queue_(!kIsBounded && config.global_grab == GrabSize::kAll),
        global_grab_(GrabOf(config.global_grab, config.local_queue_capacity)),
        overflow_(config.overflow),
        pick_order_(config.pick_order),
        yields_to_global_(config.yield_to == YieldTo::kGlobal),
        batch_(std::max<std::size_t>(config.local_queue_capacity / 2, global_grab_.most)),
        victims_(config.victim, index, config.workers, DeriveSeed(seed, 1)),
        local_queue_(config.local_queue_capacity,
                     config.workers == 1 ? Sharing::kNobodySteals : Sharing::kOthersSteal) {
    if (config.steal == Steal::kHalf) {
      steal_batch_ = std::min(config.steal_batch.value, config.local_queue_capacity / 2);
    }
  }

  // ---- The owner, from within a task ----

  void Submit(TaskBase* task, SchedulerHint hint) noexcept {
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
        break;
    }
  }

  void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept {
    while (TaskBase* const task = tasks.TryPopFront()) {
      Submit(task, hint);
    }
  }

  // ---- For PoolWorker and SlotWorker ----

  TaskBase* TryPollGlobalQueue() noexcept {
    if constexpr (GlobalQueueModel<Global>) {
      return Counted(pool_.Global().TryPop(), 1);
    } else {
      return GrabAll();
    }
  }

  TaskBase* TryPickTaskFromQueues() noexcept {
    lifo_slot_.EndStreak();
    TaskBase* const task = local_queue_.TryPop();
    if (task != nullptr) {
      metrics_.from_local.Add();
      return task;
    }
    return pick_order_ != PickOrder::kS3 ? TryGrabTasksFromGlobalQueue() : nullptr;
  }

  void PushAndNotify(TaskBase* task) noexcept {
    if (!local_queue_.TryPush(task)) [[unlikely]] {
      OffloadTasksToGlobalQueue(task);
    }
    Base::Notify();
  }

  bool HasTasksInLocalQueue() const noexcept {
    return !local_queue_.IsEmpty();
  }

  std::size_t TasksToRun() const noexcept {
    return local_queue_.Size();
  }

  TaskList HandOffTasks() noexcept {
    TaskList tasks;
    if (TaskBase* const task = lifo_slot_.Take()) {
      tasks.PushBack(task);
    }
    while (TaskBase* const task = local_queue_.TryPop()) {
      tasks.PushBack(task);
    }
    return tasks;
  }

  TaskBase* TryGrabTasksFromGlobalQueue() noexcept {
    if constexpr (GlobalQueueModel<Global>) {
      if (!takes_whole_queue_) {
        return GrabSome();
      }
    }
    if constexpr (!kIsBounded) {
      return GrabAll();
    } else {
      return nullptr;
    }
  }

  TaskBase* TryStealTasks() noexcept {
    victims_.BeginSweep();
    for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
      const std::uint32_t victim = victims_.Next();
      metrics_.steal_attempts.Add();
      const std::size_t stolen =
          pool_.Workers()[victim]->local_queue_.Grab({batch_.data(), steal_batch_});
      if (stolen > 0) {
        victims_.RecordSuccess();
        Base::Stole(victim, stolen);
        return EnqueueBatch({batch_.data(), stolen});
      }
    }
    return nullptr;
  }

  // ---- Any thread ----

  bool HasTasksToSteal() const noexcept {
    return !local_queue_.IsEmpty();
  }

  std::vector<QueueDepth> Depths() const {
    return {{"LIFO slot", lifo_slot_.HoldsTask() ? 1U : 0U}, {"local queue", local_queue_.Size()}};
  }

 private:
  static constexpr bool kIsBounded = !requires(LocalQueue & queue, TaskList list) {
    queue.Append(std::move(list));
  };

  void PushYielded(TaskBase* task) noexcept {
    if (!yields_to_global_) {
      PushAndNotify(task);
      return;
    }
    pool_.Global().Push(task);
    Base::Notify();
  }

  void OffloadTasksToGlobalQueue(TaskBase* overflow) noexcept {
    const std::span<TaskBase*> half(batch_.data(), BatchOf(local_queue_.Capacity()));
    std::size_t count = 0;
    if (overflow_ != Overflow::kOne) {
      count = TakeHalf(half);
    }
    // Nothing: thieves have made room meanwhile, or one keeps the queue busy; or the policy is kOne.
    if (count == 0 && overflow_ != Overflow::kOne && local_queue_.TryPush(overflow)) {
      return;
    }
    AppendToGlobalQueue(half.first(count), overflow);
  }

  // `last`: one more, or null.
  void AppendToGlobalQueue(std::span<TaskBase* const> tasks, TaskBase* last) noexcept {
    TaskList offloaded;
    for (TaskBase* const task : tasks) {
      offloaded.PushBack(task);
    }
    if (last != nullptr) {
      offloaded.PushBack(last);
    }
    Base::Offloaded(offloaded.Size());
    pool_.Global().Append(std::move(offloaded));
  }

  std::size_t TakeHalf(std::span<TaskBase*> out) noexcept {
    if constexpr (requires { local_queue_.TryTakeNewerHalf(out); }) {
      if (overflow_ == Overflow::kHalf) {
        return local_queue_.TryTakeNewerHalf(out) ? out.size() : 0;
      }
    }
    return local_queue_.Grab(out);
  }

  TaskBase* GrabSome() noexcept requires GlobalQueueModel<Global> {
    const std::size_t count = pool_.Global().Grab({batch_.data(), global_grab_.most},
                                                  global_grab_.Sharers(pool_.ActiveWorkers()));
    return count == 0 ? nullptr : Counted(EnqueueBatch({batch_.data(), count}), count);
  }

  TaskBase* GrabAll() noexcept {
    TaskList all = pool_.Global().GrabAll();
    const std::size_t count = all.Size();
    TaskBase* const first = all.TryPopFront();
    if constexpr (!kIsBounded) {
      if (!all.IsEmpty()) {
        local_queue_.Append(std::move(all));
        Base::NotifyOfMoreTasks();
      }
    }
    return Counted(first, count);
  }

  // Counts what was taken from the global queue, if it was.
  TaskBase* Counted(TaskBase* task, std::size_t grabbed) noexcept {
    if (task != nullptr) {
      Base::RecordGrab(grabbed);
    }
    return task;
  }

  // Of a batch: the first to run, the others to the local queue, and to the global one what does not fit.
  TaskBase* EnqueueBatch(std::span<TaskBase*> batch) noexcept {
    if (batch.size() > 1) {
      const std::span<TaskBase*> rest = batch.subspan(1);
      const std::size_t kept = local_queue_.PushMany(rest);
      if (kept < rest.size()) [[unlikely]] {
        AppendToGlobalQueue(rest.subspan(kept), nullptr);
      }
      Base::NotifyOfMoreTasks();
    }
    return batch.front();
  }

  std::size_t BatchOf(std::size_t capacity) const noexcept {
    return std::min(capacity / 2, batch_.size());
  }

  // ---- Owner only, at each task ----
  const bool takes_whole_queue_;  // a mutex queue has room for everything
  const GlobalGrab global_grab_;
  const Overflow overflow_;
  const PickOrder pick_order_;
  const bool yields_to_global_;
  std::uint32_t steal_batch_ = 1;
  std::vector<TaskBase*> batch_;  // for tasks on their way from one queue to another
  VictimOrder victims_;

  // ---- Written by the owner, read by others ----
  alignas(kCacheLine) LocalQueue local_queue_;
};

}  // namespace schedbench::schedulers::work_stealing
