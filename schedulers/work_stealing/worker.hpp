#pragma once

#include "schedulers/pool/stealing_worker.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/work_stealing/config.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace schedbench::schedulers::work_stealing {

// The worker of `work_stealing`: a StealingWorker on any local queue, with a choice at each point
// where the toucan report, the Go article and the Scalable Scheduler task differ. It is the
// textbook scheduler that `fast` is compared with. Belongs to one thread.
template <contracts::LocalQueue LocalQueue>
class Worker final : public StealingWorker<Worker<LocalQueue>, LocalQueue> {
  using Base = StealingWorker<Worker, LocalQueue>;
  using Base::local_queue_;
  using Base::pool_;
  using Base::victims_;

 public:
  using Config = WorkStealingConfig;
  using typename Base::Pool;

  static constexpr const char* kThreadName = "steal-";
  static constexpr bool kMayNotifyAll = true;
  static constexpr bool kMayShareCounter = true;

  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& config) {
    return schedulers::MakeGlobalQueue(config.global_queue);
  }

  static QuiescenceCriterion QuiescenceOf(const Config& config) noexcept {
    return config.wait_idle;
  }

  static bool NotifiesAll(const Config& config) noexcept {
    return config.notify == NotifyMode::kAllUnderLock;
  }

  // `index`: 0 .. workers - 1.
  Worker(Pool& pool, std::uint32_t index, const Config& config, std::uint64_t seed)
      : Base(pool, index, config.workers, seed, config.local_queue_capacity, OptionsOf(config)),
        polls_whole_queue_(config.global_queue == GlobalQueueKind::kTakeAll),
        takes_whole_queue_(!kIsBounded && config.global_grab == GrabSize::kAll),
        takes_whole_half_(!kIsBounded && config.steal == Steal::kHalf &&
                          config.steal_batch == kNoStealLimit),
        pick_order_(config.pick_order),
        yields_to_global_(config.yield_to == YieldTo::kGlobal) {
  }

  // ---- For StealingWorker and PoolWorker ----

  void PushYielded(TaskBase* task) noexcept {
    if (yields_to_global_) {
      pool_.Global().Push(task);
    } else {
      Base::PushToLocalQueue(task);
    }
  }

  template <typename AnyWorker, typename Visit>
  static void VisitMoreQueues(AnyWorker& /*worker*/, Visit /*visit*/) noexcept {
  }

  TaskBase* TryPickTaskFromQueues() noexcept {
    TaskBase* const task = Base::TryPickTaskFromLocalQueue();
    return task == nullptr && pick_order_ != PickOrder::kS3 ? TryGrabTasksFromGlobalQueue() : task;
  }

  TaskBase* TryStealTasks() noexcept {
    if constexpr (!kIsBounded) {
      if (takes_whole_half_) {
        return TryStealHalf();
      }
    }
    return Base::TryStealTasks();
  }

  TaskBase* TryPollGlobalQueue() noexcept {
    return polls_whole_queue_ ? GrabAll() : Base::TryPollGlobalQueue();
  }

  TaskBase* TryGrabTasksFromGlobalQueue() noexcept {
    return takes_whole_queue_ ? GrabAll() : Base::TryGrabTasksFromGlobalQueue();
  }

 private:
  static constexpr bool kIsBounded =
      !requires(LocalQueue& queue, TaskList list) { queue.Append(std::move(list)); };

  static StealingOptions OptionsOf(const Config& config) {
    const std::uint32_t capacity = config.local_queue_capacity;
    const GlobalGrab grab = GrabOf(config.global_grab, capacity);
    return {.lifo_limit = config.pick_order == PickOrder::kS4 ? config.lifo_limit.value : 0U,
            .global_poll_period = config.global_poll_period,
            .global_grab = grab,
            .steal_batch =
                config.steal == Steal::kHalf ? std::min(StealLimitOf(config), capacity / 2) : 1U,
            .max_batch = std::max<std::size_t>(capacity / 2, grab.most),
            .overflow = config.overflow,
            .victim = config.victim};
  }

  // A queue with slots never holds more than twice the half of its capacity.
  static std::uint32_t StealLimitOf(const Config& config) {
    return config.steal_batch == kNoStealLimit ? config.local_queue_capacity
                                               : config.steal_batch.value;
  }

  // Takes the whole global queue, if the local queue has room for it.
  TaskBase* GrabAll() noexcept {
    TaskBase* first = nullptr;
    if constexpr (!kIsBounded) {
      TaskList all = pool_.Global().GrabAll();
      const std::size_t count = all.Size();
      first = EnqueueList(std::move(all));
      if (first != nullptr) {
        Base::OnGrab(count);
      }
    }
    return first;
  }

  // Base::TryStealTasks() with lists: no batch of fixed size holds half of an unlimited queue.
  TaskBase* TryStealHalf() noexcept {
    victims_.BeginSweep();
    for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
      const std::uint32_t victim = victims_.Next();
      Base::metrics.steal_attempts.Add();
      TaskList half = pool_.Workers()[victim]->local_queue_.GrabHalf();
      const std::size_t count = half.Size();
      if (count > 0) {
        victims_.RecordSuccess();
        Base::OnSteal(victim, count);
        return EnqueueList(std::move(half));
      }
      TaskBase* forked = nullptr;
      if (Base::GrabForkedCall(*pool_.Workers()[victim], {&forked, 1}) > 0) {
        victims_.RecordSuccess();
        Base::OnSteal(victim, 1);
        return forked;
      }
    }
    return nullptr;
  }

  // Puts all but the first into the local queue. Returns the first; null if the list is empty.
  TaskBase* EnqueueList(TaskList&& tasks) noexcept {
    TaskBase* const first = tasks.TryPopFront();
    if (!tasks.IsEmpty()) {
      local_queue_.Append(std::move(tasks));
      Base::NotifyOfMoreTasks();
    }
    return first;
  }

  // ---- Owner only ----
  const bool polls_whole_queue_;
  // The local queue is unlimited, so it has room for everything.
  const bool takes_whole_queue_;
  const bool takes_whole_half_;
  const PickOrder pick_order_;
  const bool yields_to_global_;

  friend Base;  // takes from the queue of other workers
};

}  // namespace schedbench::schedulers::work_stealing
