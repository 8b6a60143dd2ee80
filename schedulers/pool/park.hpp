#pragma once

#include "schedulers/pool/pool_worker.hpp"
#include "schedulers/pool/slot_watch.hpp"

#include <algorithm>

// How a worker sleeps without losing a wake-up. README.md, "Sleeping and waking", has (park).
namespace schedbench::schedulers {

// Announces that the worker parks, checks all queues once more if no worker searches, and parks.
template <typename Worker>
typename PoolWorker<Worker>::Parked PoolWorker<Worker>::RecheckThenPark() noexcept {
  Coordinator& coordinator = pool_.Coordination();
  const auto announced = coordinator.AnnouncePark(index_, searching_);
  searching_ = false;
  if (announced.recheck && pool_.HasWork()) {
    if (coordinator.CancelPark(index_)) {
      searching_ = true;
      metrics.parks_cancelled.Add();
      WakeMonitor();
      TaskBase* const task = TryPickTaskBeforePark();
      if (task == nullptr) {
        // Another worker took it. Or a thread is in the middle of a push or a take, and may not
        // even run: each recheck finds the same state until it is done.
        failed_rechecks_.Spin();
      }
      return {.task = task};
    }
    // The work is for another worker. The pool does not end before it announces itself again.
  } else if (announced.last && pool_.TryEnd(index_)) {
    End();
    return {.task = nullptr};
  }
  const bool stayed = Park();
  return {.task = nullptr, .left = !stayed};
}

template <typename Worker>
TaskBase* PoolWorker<Worker>::TryPickTaskBeforePark() noexcept {
  TaskBase* const task = Self().TryPickTask();
  return task != nullptr ? task : Search();
}

// Sleeps until a thread unparks the worker, which then searches. False: it has left the thread.
template <typename Worker>
bool PoolWorker<Worker>::Park() noexcept {
  BeginPark();
  if constexpr (Worker::kMayHandOff) {
    if (pool_.HandOffs() != nullptr) {
      const Coordinator::Slept slept = Vacate();
      if (slept == Coordinator::Slept::kVacant) {
        return false;
      }
      WakeMonitor();
      EndPark(slept);
      return true;
    }
  }
  EndPark(SleepAndWatch());
  return true;
}

template <typename Worker>
void PoolWorker<Worker>::BeginPark() noexcept {
  if (just_woken_) {
    metrics.noop_wakes.Add();
  }
  metrics.parks.Add();
  timers_.SetAsleep();
  BeginIdle();
  TraceQueueLengths();  // the lengths recorded last would otherwise seem to last while it sleeps
  SetActivity(executors::WorkerActivity::kPark);
  metrics.park_ns.StartAt(metrics.search_ns.Stop());
}

template <typename Worker>
void PoolWorker<Worker>::EndPark(Coordinator::Slept slept) noexcept {
  if (slept == Coordinator::Slept::kEnded) {
    End();
  }
  metrics.search_ns.StartAt(metrics.park_ns.Stop());
  SetActivity(executors::WorkerActivity::kSearch);
  searching_ = true;
  just_woken_ = true;
  Self().OnSlept();
}

// Sleeps. One of the idle workers also watches the slots of those that run.
template <typename Worker>
Coordinator::Slept PoolWorker<Worker>::SleepAndWatch() noexcept {
  Coordinator& coordinator = pool_.Coordination();
  SlotWatch* const watch = Self().Watch();
  if (watch == nullptr || !coordinator.IsActive(index_)) {
    return coordinator.Park(index_);
  }
  // A watch that rests remains so until a put. To begin and rest costs a heavy fence per sleep.
  bool watching = !(watch->IsResting() && coordinator.AllIdle()) && watch->TryBegin();
  auto slept = Coordinator::Slept::kTimeOut;
  for (auto period = SlotWatch::kFirstPeriod; slept == Coordinator::Slept::kTimeOut;
       period = std::min(2 * period, SlotWatch::kLongestPeriod)) {
    if (watching && coordinator.AllIdle()) {
      watch->Rest();
      watching = !coordinator.AllIdle() && watch->TryBegin();
    }
    slept = coordinator.Park(index_, watching ? period : Coordinator::kNoLimit);
    if (slept == Coordinator::Slept::kTimeOut && Self().FindStuckTask(*watch) &&
        coordinator.CancelPark(index_)) {
      slept = Coordinator::Slept::kWoken;
    }
  }
  if (watching) {
    watch->End();  // FoundWork() wakes the next watcher
  }
  return slept;
}

// Leaves the thread, unless another one has woken the worker in the meantime. kVacant: the caller
// may not touch the worker any more.
template <typename Worker>
Coordinator::Slept PoolWorker<Worker>::Vacate() noexcept {
  is_vacant_ = true;
  const Coordinator::Slept slept = pool_.Coordination().Vacate(index_);
  if (slept != Coordinator::Slept::kVacant) {
    is_vacant_ = false;
  }
  return slept;
}

// Makes PickTask() return null.
template <typename Worker>
void PoolWorker<Worker>::End() noexcept {
  stopping_ = true;
  // relaxed: read by this thread.
  recheck_requested_.Store(true, memory_order_relaxed);
}

}  // namespace schedbench::schedulers
