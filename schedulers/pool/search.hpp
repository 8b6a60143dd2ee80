#pragma once

#include "base/spin_wait.hpp"
#include "platform/time/clock.hpp"
#include "schedulers/pool/pool_worker.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <algorithm>
#include <cstdint>

// What a worker without a task does: it becomes a searcher if few enough workers search, and checks
// all queues. The last searcher that finds work wakes the next one. README.md has the protocol with
// (found).
namespace schedbench::schedulers {

// BeginIdle() and EndIdle() enclose the time that search_ns and park_ns count.
template <typename Worker>
void PoolWorker<Worker>::BeginIdle() noexcept {
  if (!is_idle_) {
    is_idle_ = true;
    SetActivity(executors::WorkerActivity::kSearch);
    times.OnNoTask();
    idle_since_ns_ = metrics.search_ns.Start();
  }
}

template <typename Worker>
void PoolWorker<Worker>::EndIdle() noexcept {
  if (is_idle_) {
    is_idle_ = false;
    SetActivity(executors::WorkerActivity::kRun);
    busy_since_ns_ = metrics.search_ns.Stop();
    // relaxed in Get(): written by this thread.
    tasks_before_ = metrics.tasks_run.Get();
  }
}

// Waits before a search if the last tasks were short. To take short tasks from another core costs
// both workers more than to run them: cache lines of the queue, of the tasks and of the memory that
// they free, and a futex call for each sleep. During the pause the others run their short tasks
// themselves, or collect a batch that is worth a steal. The worker is not idle during it, so that
// no submit wakes it. It waits for the time of a search for each task that it has run, and only
// while another worker runs tasks.
template <typename Worker>
void PoolWorker<Worker>::PauseBeforeSearch() noexcept {
  // relaxed in Get(): written by this thread.
  const std::uint64_t tasks = metrics.tasks_run.Get() - tasks_before_;
  if (search_pause_ns_ == 0 || tasks == 0 ||
      idle_since_ns_ - busy_since_ns_ > tasks * kShortTaskNs) {
    return;
  }
  const std::uint64_t pause = std::min(search_pause_ns_, tasks * kSearchNs);
  const ExternalCounts& external = pool_.Global().Counts().external;
  const std::uint64_t submissions = external.Submissions();
  // A task that came after the last check may be counted already. If so, it is counted as pushed.
  if (!pool_.Global().Counts().IsEmpty()) {
    return;
  }
  pool_.BeginPause();
  for (SpinWait spin; pool_.OthersRun() && external.Submissions() == submissions &&
                      !RecheckRequested() && platform::NowNs() - idle_since_ns_ < pause;) {
    spin.Spin();
  }
  pool_.EndPause();
}

template <typename Worker>
void PoolWorker<Worker>::BeginSearch() noexcept {
  if (searching_ || alone_) {
    return;
  }
  PauseBeforeSearch();
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

// (found) Leaves the search with a task. The last to leave checks all queues again and wakes a
// worker if one holds a task. If no worker watches the slots, wakes an idle one, which then
// watches.
template <typename Worker>
void PoolWorker<Worker>::FoundWork() noexcept {
  searching_ = false;
  Self().ForgetStuckTask();
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
