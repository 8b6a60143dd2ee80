#pragma once

#include "base/random.hpp"
#include "schedulers/pool/poll_countdown.hpp"
#include "schedulers/pool/pool_worker.hpp"
#include "schedulers/pool/worker_pool.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/threads/config.hpp"
#include "schedulers/threads/ready_tasks.hpp"

#include <cstdint>
#include <memory>

namespace schedbench::schedulers::threads {

// The model 1:N of the Go article: one thread for everything. What its tasks submit goes to a plain
// list, which no other thread touches; external submissions go to the pool's queue. There is no
// parallelism, and no locked instruction between two fibers.
// The order of sources: the list, in the order of the config; the pool's queue when the list is
// empty, and each global_poll_period-th time before it. So only external submissions come at an
// uncontrolled time: a program that begins with one external submission, and waits only for its own
// fibers, runs in the same order each time (with order=random: in one order for each seed).
class SingleThread final : public PoolWorker<SingleThread> {
 public:
  using Config = SingleThreadConfig;

  static constexpr const char* kThreadName = "single-";

  static std::unique_ptr<IGlobalQueue> MakeGlobalQueue(const Config& /*config*/) {
    return std::make_unique<LockFreeGlobalQueue>();
  }

  SingleThread(Pool& pool, std::uint32_t index, const Config& config, std::uint64_t seed)
      : PoolWorker(pool, index, Config::workers, DeriveSeed(seed, 0)),
        poll_(config.global_poll_period),
        tasks_(config.order, DeriveSeed(seed, 1)) {
  }

  // ---- The owner, from within a task ----

  void Submit(TaskBase* task, SchedulerHint hint) noexcept {
    Submitted(task, hint);
    CountHint(hint);
    tasks_.Push(task, hint == SchedulerHint::Yield);
  }

  void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept {
    while (TaskBase* const task = tasks.TryPopFront()) {
      Submit(task, hint);
    }
  }

  // ---- For PoolWorker ----

  TaskBase* TryPickTask() noexcept override {
    TaskBase* task = nullptr;
    if (poll_.IsDue()) [[unlikely]] {
      metrics.global_polls.Add();
      TraceQueueLengths();
      task = TryGrabTasksFromGlobalQueue();
      poll_.Polled(task != nullptr);
    }
    if (task == nullptr) {
      task = tasks_.TryPop();
      if (task != nullptr) {
        metrics.from_local.Add();
      }
    }
    if (task == nullptr) {
      task = TryGrabTasksFromGlobalQueue();
    }
    return Picked(task);
  }

  void OnSlept() noexcept {
    poll_.Slept();
  }

  TaskBase* TryGrabTasksFromGlobalQueue() noexcept {
    TaskBase* const task = pool_.Global().TryPop();
    if (task != nullptr) {
      OnGrab(1);
    }
    return task;
  }

  TaskBase* TryStealTasks() noexcept {
    return nullptr;
  }

  std::size_t TasksToRun() const noexcept {
    // Other threads read counts, not the list; `out` first, so that it is never more than `in`.
    const std::uint64_t out = metrics.from_local.Get() + metrics.from_self.Get();
    const std::uint64_t in = metrics.tasks_submitted.Get();
    return in > out ? in - out : 0;
  }

  // Never called, because there is only one worker.
  TaskList HandOffTasks() noexcept {
    return {};
  }

  // ---- Any thread ----

  bool HasTasksToSteal() const noexcept {
    return false;
  }

  std::vector<QueueDepth> Depths() const {
    return {{"list", TasksToRun()}};
  }

 private:
  PollCountdown poll_;
  ReadyTasks tasks_;
};

}  // namespace schedbench::schedulers::threads
