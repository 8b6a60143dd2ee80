#pragma once

#include "base/random.hpp"
#include "schedulers/fast/config.hpp"
#include "schedulers/pool/stealing_worker.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

namespace schedbench::schedulers::fast {

// The worker of `fast`: a StealingWorker on rings with a yield queue. Belongs to one thread. The
// order of sources: a poll of the global queue at each global_poll_period-th pick, the LIFO slot,
// the local queue, the yield queue, the global queue, the queues and LIFO slots of other workers.
// README.md has the reasons.
class Worker final : public StealingWorker<Worker, WorkStealingQueue> {
  using Base = StealingWorker<Worker, WorkStealingQueue>;

 public:
  using Config = FastConfig;

  static constexpr const char* kThreadName = "fast-";
  static constexpr bool kMayHandOff = true;

  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const FastConfig& config) {
    return schedulers::MakeGlobalQueue(config.global_queue);
  }

  static QuiescenceCriterion QuiescenceOf(const FastConfig& config) noexcept {
    return config.wait_idle;
  }

  static HandOffOptions HandOffOf(const FastConfig& config) noexcept {
    const bool hands_off = config.blocking == Blocking::kHandOff;
    const bool preempts = config.preempt != Preempt::kOff;
    const bool polls_net = config.netpoll != Netpoll::kThread;
    return {.is_on = hands_off || preempts || polls_net,
            .polls_net = polls_net,
            .uses_ring = config.netpoll == Netpoll::kUring,
            .hands_off = hands_off,
            .signals = config.preempt == Preempt::kSignal,
            .time_slice = std::chrono::milliseconds(preempts ? config.time_slice_ms : 0U),
            .max_threads = config.max_threads,
            .keep_alive = std::chrono::seconds(config.idle_thread_s),
            .retake = std::chrono::microseconds(config.syscall_retake_us)};
  }

  // `index`: 0 .. workers - 1.
  Worker(Pool& pool, std::uint32_t index, const FastConfig& config, std::uint64_t seed)
      : Base(pool, index, config.workers, seed, config.local_queue_capacity, OptionsOf(config)),
        has_yield_queue_(config.yield_queue_capacity > 1),
        steals_from_slots_(config.lifo_steal == LifoSteal::kSearching ||
                           config.lifo_steal == LifoSteal::kWake),
        yielded_(std::max(config.yield_queue_capacity.value, 2U), SharingOf(config.workers)) {
    SetSearchPause(std::chrono::microseconds(config.search_pause_us));
  }

  // ---- For StealingWorker and PoolWorker ----

  void PushYielded(TaskBase* task) noexcept {
    if (!has_yield_queue_) {
      pool_.Global().Push(task);
      return;
    }
    if (yield_ticket_ != 0 && yielded_.IsEmpty()) {
      yield_ticket_ = 0;  // the tasks of this ticket were stolen or handed off
    }
    if (!yielded_.TryPush(task)) [[unlikely]] {
      OffloadTasksToGlobalQueue(yielded_, task);
    }
  }

  TaskBase* TryPickTaskFromQueues() noexcept {
    TaskBase* task = TryPickTaskFromLocalQueue();
    if (task == nullptr) {
      task = TryPickYieldedTask();
    }
    if (task == nullptr) {
      task = TryGrabTasksFromGlobalQueue();
    }
    return task;
  }

  TaskBase* TryPollGlobalQueue() noexcept {
    // A task in the yield queue counts as one in the global queue: the poll is for it too.
    if (IsTurnOfYielded()) {
      if (TaskBase* const yielded = yielded_.TryPop()) {
        metrics.from_local.Add();
        return yielded;
      }
    }
    return Base::TryPollGlobalQueue();
  }

  TaskBase* TryStealTasks() noexcept {
    TaskBase* const task = Base::TryStealTasks();
    return task == nullptr && steals_from_slots_ ? TryStealFromSlots() : task;
  }

  template <typename AnyWorker, typename Visit>
  static void VisitMoreQueues(AnyWorker& worker, Visit visit) {
    visit("yield queue", worker.yielded_);
  }

 private:
  static StealingOptions OptionsOf(const FastConfig& config) {
    const std::uint32_t capacity = config.local_queue_capacity;
    const GlobalGrab grab = GrabOf(config.global_grab, capacity);
    // A batch holds half of a ring, or what a grab takes.
    const std::size_t ring = std::max(capacity, config.yield_queue_capacity.value);
    return {.lifo_limit = config.lifo_limit,
            .resumes_to_slot = config.resume == Resume::kSlot,
            .slot_is_open_to_thieves = config.lifo_steal != LifoSteal::kNever && config.workers > 1,
            .slot_wakes_thieves = config.lifo_steal == LifoSteal::kWake,
            .slot_is_watched = config.lifo_steal == LifoSteal::kDelayed && config.workers > 1,
            .global_poll_period = config.global_poll_period,
            .global_grab = grab,
            .steal_batch = std::min(config.steal_batch.value, capacity / 2),
            .max_batch = std::max(ring / 2, grab.most),
            .overflow = Overflow::kHalf,
            .victim = config.victim};
  }

  // Returns whether all tasks are taken that were in the global queue before those in yielded_.
  bool IsTurnOfYielded() noexcept {
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

  TaskBase* TryPickYieldedTask() noexcept {
    if (!IsTurnOfYielded()) {
      return nullptr;
    }
    const std::size_t count = yielded_.GrabAll({batch_.data(), local_queue_.Capacity() / 2});
    if (count == 0) {
      return nullptr;
    }
    metrics.from_local.Add();
    return EnqueueBatch({batch_.data(), count});
  }

  // The last source: a task in a slot has its data in the cache of its worker, where it runs next.
  TaskBase* TryStealFromSlots() noexcept {
    // The order is that of the sweep before, which is at its start again.
    for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
      if (TaskBase* const task = TryStealFromSlot(victims_.Next())) {
        victims_.RecordSuccess();
        return task;
      }
    }
    return nullptr;
  }

  // ---- Owner only ----
  const bool has_yield_queue_;
  const bool steals_from_slots_;
  // Pushed() of the global queue when the tasks in yielded_ were last checked; 0 before that.
  std::uint64_t yield_ticket_ = 0;

  // ---- Written by the owner, read by others ----
  // The yield queue. In order its tasks are at the tail of the global queue; here they stay in the
  // caches of this worker and cost no lock. Other workers may steal them.
  WorkStealingQueue yielded_;

  friend Base;  // takes from the queues of other workers
};

// The Scalable Scheduler: a fixed set of workers with a queue each, a global queue that evens them
// out, and work stealing. README.md describes the path of a task.
using ThreadPool = WorkerPool<Worker>;

}  // namespace schedbench::schedulers::fast
