#pragma once

#include "schedulers/pool/pool_worker.hpp"

// A worker without a task: it becomes a searcher if few enough workers are, and looks into all queues. The last searcher
// that finds work wakes the next one. README.md, "Sleeping and waking", has the protocol; (F) is there.
namespace schedbench::schedulers {

// BeginIdle() and EndIdle() enclose the time that search_ns and park_ns count.
template <typename Worker>
void PoolWorker<Worker>::BeginIdle() noexcept {
  if (!is_idle_) {
    is_idle_ = true;
    SetActivity(executors::WorkerActivity::kSearch);
    times.OnNoTask();
    metrics.search_ns.Start();
  }
}

template <typename Worker>
void PoolWorker<Worker>::EndIdle() noexcept {
  if (is_idle_) {
    is_idle_ = false;
    SetActivity(executors::WorkerActivity::kRun);
    metrics.search_ns.Stop();
  }
}

template <typename Worker>
void PoolWorker<Worker>::BeginSearch() noexcept {
  if (searching_ || alone_) {
    return;
  }
  for (; pauses_ > 0; --pauses_) {
    CpuRelax();
  }
  if (pool_.Coordination().TryBeginSearch()) {
    searching_ = true;
    metrics.searches.Add();
  } else {
    metrics.searches_denied.Add();
  }
}

// Returns a task from another worker or from the global queue, or null.
template <typename Worker>
TaskBase* PoolWorker<Worker>::Search() noexcept {
  BeginSearch();
  TaskBase* task = nullptr;
  if (searching_ && !alone_) {
    SetActivity(executors::WorkerActivity::kSteal);
    task = Self().TryStealTasks();
    SetActivity(executors::WorkerActivity::kSearch);
  }
  return Picked(task != nullptr ? task : Self().TryGrabTasksFromGlobalQueue());
}

// (F) Leaves the search with a task. The last to leave checks all queues again and wakes a worker if one holds a task. If no worker
// watches the slots, an idle one is woken, finds nothing, and watches.
template <typename Worker>
void PoolWorker<Worker>::FoundWork() noexcept {
  searching_ = false;
  metrics.searches_found.Add(alone_ ? 0 : 1);
  const bool last = pool_.Coordination().EndSearch();
  SlotWatch* const watch = Self().Watch();
  if ((last && pool_.HasWork()) || (watch != nullptr && watch->IsMissing())) {
    Notify();
  }
}

template <typename Worker>
void PoolWorker<Worker>::OnSteal(std::size_t victim, std::size_t count) noexcept {
  metrics.steals.Add();
  metrics.tasks_stolen.Add(count);
  metrics.from_stolen.Add();
  StolenFromTally(victim).Add(count);
  Tracing().Record(trace::EventKind::kSteal, static_cast<std::uint32_t>(victim),
                   static_cast<std::uint32_t>(count));
}

}  // namespace schedbench::schedulers
