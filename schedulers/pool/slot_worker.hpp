#pragma once

#include "schedulers/pool/lifo_slot.hpp"
#include "schedulers/pool/poll_countdown.hpp"
#include "schedulers/pool/pool_worker.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// A worker that looks at the global queue now and then before its own queues, and has a slot for the task that is to run
// next. Belongs to one thread.
//
// `Worker` derives from SlotWorker<Worker> and has, besides what PoolWorker wants,
//   TaskBase* TryPollGlobalQueue()        one task, before all others
//   TaskBase* TryPickTaskFromQueues()     when the slot has none; begins with EndStreak() of the slot
//   void PushAndNotify(TaskBase*)         to its local queue
//   bool HasTasksInLocalQueue() const
template <typename Worker>
class SlotWorker : public PoolWorker<Worker> {
  using Base = PoolWorker<Worker>;

 public:
  TaskBase* TryPickTask() noexcept final {
    TaskBase* task = nullptr;
    if (poll_.IsDue()) [[unlikely]] {
      if (Base::RecheckRequested()) {
        poll_.PutOff();
        return nullptr;
      }
      metrics_.global_polls.Add();
      Base::TraceQueueLengths();
      task = Self().TryPollGlobalQueue();
      metrics_.global_poll_hits.Add(task != nullptr ? 1 : 0);
      poll_.Polled(task != nullptr);
    }
    if (task == nullptr) {
      task = TryPickTaskFromLifoSlot();
    }
    if (task == nullptr) {
      task = Self().TryPickTaskFromQueues();
    }
    return Base::Picked(task);
  }

 protected:
  using Base::metrics_;

  struct SlotOptions {
    std::uint32_t limit;  // 0: no slot
    bool open_to_thieves = false;
    bool wakes_thieves = false;  // they are told of a task that is alone in the slot
  };

  // `index`, `workers`, `seed`: see PoolWorker.
  SlotWorker(typename Base::Pool& pool, std::uint32_t index, std::uint32_t workers,
             std::uint64_t seed, std::uint32_t global_poll_period, const SlotOptions& slot)
      : Base(pool, index, workers, seed),
        lifo_slot_(slot.limit, slot.open_to_thieves),
        poll_(global_poll_period),
        wakes_for_slot_(slot.wakes_thieves) {
  }

  ~SlotWorker() = default;

  // The hint Next: to the slot, and what was there to the local queue; where there is no slot, to the local queue.
  void PushNext(TaskBase* task) noexcept {
    if (!lifo_slot_.Exists()) {
      Self().PushAndNotify(task);
      return;
    }
    // A task that only its own worker can take wakes nobody.
    if (TaskBase* const displaced = lifo_slot_.Put(task)) {
      metrics_.lifo_displaced.Add();
      Self().PushAndNotify(displaced);
    } else if (wakes_for_slot_) {
      Base::Notify();
    }
  }

 private:
  Worker& Self() noexcept {
    return static_cast<Worker&>(*this);
  }

  TaskBase* TryPickTaskFromLifoSlot() noexcept {
    TaskBase* const task = lifo_slot_.Take();
    if (task == nullptr) {
      return nullptr;
    }
    // The limit protects those who wait in the local queue; where nobody does, the slot may go on, and the task
    // stays out of reach of thieves.
    if (!lifo_slot_.MayRun(Self().HasTasksInLocalQueue())) {
      metrics_.lifo_capped.Add();
      Self().PushAndNotify(task);
      return nullptr;
    }
    metrics_.from_lifo.Add();
    return task;
  }

 protected:
  // ---- Owner only, at each task ----
  LifoSlot lifo_slot_;

 private:
  PollCountdown poll_;

 protected:
  const bool wakes_for_slot_;
};

}  // namespace schedbench::schedulers
