#pragma once

#include "base/spin_wait.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/sync/select.hpp"
#include "platform/time/clock.hpp"
#include "schedulers/pool/worker.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

// The life of a worker, in the order in which it happens: it picks a task at hand, otherwise it
// searches, steals from others, and parks; a submit wakes it. README.md, "Sleeping and waking", has
// the protocol and its proof; (publish), (park) and (found) are there.
namespace schedbench::schedulers {

template <contracts::Policies P>
void Worker<P>::Work() noexcept {
  fibers::SeedSelect(select_seed_);
  CurrentWorker::Set(this);
  fibers::ForkQueue::SetCurrent(Forks());
  fibers::TimerQueue::SetCurrent(&timers_);
  fibers::FiberThread::RunLoop(*this, pool_.Stacks());
  fibers::TimerQueue::SetCurrent(nullptr);
  fibers::ForkQueue::SetCurrent(nullptr);
  CurrentWorker::Set(nullptr);
}

// FiberThread::RunLoop() calls this for each task. Takes a task at hand, otherwise searches, then
// parks. Null: the worker ends or left its thread.
template <contracts::Policies P>
TaskBase* Worker<P>::PickTask() noexcept {
  for (;;) {
    if (StateCheckRequested()) [[unlikely]] {
      if (stopping_) {
        EndWithoutTask();
        return nullptr;
      }
      if (!Deactivate()) {
        return nullptr;
      }
      continue;
    }
    TaskBase* task = TryPickTask();
    if (task == nullptr) {
      if (StateCheckRequested()) [[unlikely]] {
        continue;  // TryPickTask() returns null for a state check, also when there is a task
      }
      if (MayLookAtNetFirst() && LookAtNet()) {
        ++looks_before_search_;
        continue;
      }
      looks_before_search_ = 0;
      BeginWithoutTask();
      task = Search();
    }
    if (task == nullptr && (RunAllTimers() || LookAtNet() || MakeCallsOfOthers())) {
      continue;
    }
    if (task == nullptr) {
      const Parked parked = RecheckThenPark();
      if (parked.left) {
        return nullptr;
      }
      task = parked.task;
    }
    if (task != nullptr) {
      if (searching_) {
        FoundWork();
      }
      EndWithoutTask();
      just_woken_ = false;
      failed_rechecks_ = SpinWait();
      return task;
    }
  }
}

// ---- A task at hand ----

// At each global_poll_period-th pick the global queue, so that what waits there does not starve;
// then the LIFO slot, the local queue, the fibers whose calls it then makes, the yield queue and
// the global queue. Null: no task is at hand, or a state check was requested.
template <contracts::Policies P>
TaskBase* Worker<P>::TryPickTask() noexcept {
  TaskBase* task = nullptr;
  OnFiberLeaves();
  MakeCallsIfDue();
  if (poll_.IsDue()) [[unlikely]] {
    if (StateCheckRequested()) {
      poll_.Defer();
      return nullptr;
    }
    metrics.global_polls.Add();
    TraceQueueLengths();
    LookAtNetIfDue();
    RunTimersIfAny();
    // Every second poll first takes a fiber that only this thread may resume.
    polls_pinned_ = !polls_pinned_;
    task = polls_pinned_ ? TryPickPinned() : nullptr;
    if (task == nullptr) {
      task = TryPollGlobalQueue();
    }
    metrics.global_poll_hits.Add(task != nullptr ? 1 : 0);
    poll_.Polled(task != nullptr);
  }
  if (task == nullptr) {
    task = TryPickFromSlot();
  }
  if (task == nullptr) {
    task = TryPickFromLocalQueue();
  }
  if (task == nullptr && MakeCalls()) {
    // A fiber that another executor has run in the meantime may have filled the slot.
    task = TryPickFromSlot();
    if (task == nullptr) {
      task = TryPickFromLocalQueue();
    }
  }
  if (task == nullptr) {
    task = TryPickYielded();
  }
  if (task == nullptr && !options_.steals_first) {
    task = TryGrabTasksFromGlobalQueue();
  }
  if (task == nullptr) {
    task = TryPickPinned();
  }
  return Picked(task);
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryPollGlobalQueue() noexcept {
  if constexpr (P::kHasYieldQueue) {
    // A task in the yield queue counts as one in the global queue: the poll is for it too.
    if (IsTurnOfYielded()) {
      if (TaskBase* const yielded = yielded_.TryPop()) {
        metrics.from_local.Add();
        return yielded;
      }
    }
  }
  if (kUnbounded && options_.polls_whole_queue) {
    return GrabWholeGlobalQueue();
  }
  TaskBase* const task = pool_.Global().TryPop();
  if (task != nullptr) {
    OnGrab(1);
  }
  return task;
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryPickFromSlot() noexcept {
  if constexpr (P::kHasSlot) {
    TaskBase* const task = lifo_slot_.Take();
    if (task == nullptr) {
      return nullptr;
    }
    // The limit protects tasks that wait in the local queue. While that is empty the slot may keep
    // its turn: its task then stays out of reach of thieves.
    if (!lifo_slot_.MayRun(!local_queue_.IsEmpty())) {
      metrics.lifo_capped.Add();
      PushAndNotify(task);
      return nullptr;
    }
    metrics.from_lifo.Add();
    return task;
  }
  return nullptr;
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryPickFromLocalQueue() noexcept {
  if constexpr (P::kHasSlot) {
    lifo_slot_.EndStreak();
  }
  TaskBase* const task = local_queue_.TryPop();
  if (task != nullptr) {
    metrics.from_local.Add();
    if constexpr (requires { local_queue_.PeekNext(); }) {
      fibers::FiberStack::Prefetch(local_queue_.PeekNext());
    }
  }
  return task;
}

// Returns whether all tasks are taken that were in the global queue before those in yielded_.
template <contracts::Policies P>
bool Worker<P>::IsTurnOfYielded() noexcept {
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

template <contracts::Policies P>
TaskBase* Worker<P>::TryPickYielded() noexcept {
  if constexpr (P::kHasYieldQueue) {
    if (!IsTurnOfYielded()) {
      return nullptr;
    }
    const std::size_t count = yielded_.GrabAll({batch_.get(), local_queue_.Capacity() / 2});
    if (count == 0) {
      return nullptr;
    }
    metrics.from_local.Add();
    return KeepBatch({batch_.get(), count});
  }
  return nullptr;
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryGrabTasksFromGlobalQueue() noexcept {
  if (kUnbounded && options_.grabs_whole_queue) {
    return GrabWholeGlobalQueue();
  }
  const GlobalGrab& grab = options_.global_grab;
  const std::size_t count =
      pool_.Global().Grab({batch_.get(), grab.most}, grab.Sharers(pool_.ActiveWorkers()));
  if (count == 0) {
    return nullptr;
  }
  OnGrab(count);
  return KeepBatch({batch_.get(), count});
}

template <contracts::Policies P>
TaskBase* Worker<P>::GrabWholeGlobalQueue() noexcept {
  TaskBase* first = nullptr;
  if constexpr (kUnbounded) {
    TaskList all = pool_.Global().GrabAll();
    const std::size_t count = all.Size();
    first = KeepList(std::move(all));
    if (first != nullptr) {
      OnGrab(count);
    }
  }
  return first;
}

// ---- Search ----

// BeginWithoutTask() and EndWithoutTask() enclose the time that search_ns and park_ns count.
template <contracts::Policies P>
void Worker<P>::BeginWithoutTask() noexcept {
  if (!without_task_) {
    without_task_ = true;
    SetActivity(executors::WorkerActivity::kSearch);
    times.OnNoTask();
    idle_since_ns_ = metrics.search_ns.Start();
  }
}

template <contracts::Policies P>
void Worker<P>::EndWithoutTask() noexcept {
  if (without_task_) {
    without_task_ = false;
    SetActivity(executors::WorkerActivity::kRun);
    busy_since_ns_ = metrics.search_ns.Stop();
    tasks_before_ = metrics.tasks_run.Get();
  }
}

// Returns a task from another worker or from the global queue, or null. Few workers search at a
// time; the others look only into the global queue.
template <contracts::Policies P>
TaskBase* Worker<P>::Search() noexcept {
  if (!searching_ && !alone_) {
    PauseBeforeSearch();
    searching_ = pool_.Coordination().TryBeginSearch();
    metrics.searches.Add(searching_ ? 1 : 0);
    metrics.searches_denied.Add(searching_ ? 0 : 1);
  }
  TaskBase* task = nullptr;
  if (searching_ && !alone_) {
    SetActivity(executors::WorkerActivity::kSteal);
    task = TryStealTasks();
    SetActivity(executors::WorkerActivity::kSearch);
  }
  return Picked(task != nullptr ? task : TryGrabTasksFromGlobalQueue());
}

// Waits before a search if the last tasks were short. To take short tasks from another core costs
// both workers more than to run them: cache lines of the queue, of the tasks and of the memory that
// they free, and a futex call for each sleep. During the pause the others run their short tasks
// themselves, or collect a batch that is worth a steal. The coordinator does not count the worker
// as idle during it, so that no submit wakes it. It waits for the time of a search for each task
// that it has run, and only while another worker runs tasks.
template <contracts::Policies P>
void Worker<P>::PauseBeforeSearch() noexcept {
  // A task is short if it takes less, including the cost of its steal. To move its cache lines
  // takes 100 to 300 ns, so that two workers run more than one does only if tasks take longer
  // (../fast/PERFORMANCE.md has figures).
  constexpr std::uint64_t kShortTaskNs = 150;
  // Approximate cost of a search that steals.
  constexpr std::uint64_t kSearchNs = 1000;
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
                      !StateCheckRequested() && platform::NowNs() - idle_since_ns_ < pause;) {
    spin.Spin();
  }
  pool_.EndPause();
}

// ---- Steal ----

// Takes tasks of another worker: the task that FindStuckTask() found in a slot, then half of a
// queue of the first worker that has tasks. Other slots come last, and only with steals_from_slots:
// a task there has its data in the cache of its worker, where it runs next.
template <contracts::Policies P>
TaskBase* Worker<P>::TryStealTasks() noexcept {
  if (stuck_ != kNone) [[unlikely]] {
    if (TaskBase* const task = TryStealFromSlot(std::exchange(stuck_, kNone))) {
      return task;
    }
  }
  victims_.BeginSweep();
  TaskBase* task = Sweep([this](std::uint32_t victim) { return TryStealFrom(victim); });
  if (task == nullptr && options_.steals_from_slots) {
    task = Sweep([this](std::uint32_t victim) { return TryStealFromSlot(victim); });
  }
  return task;
}

// Tries each other worker once, in the order of the option `victim`. A second sweep repeats the
// order of the first.
template <contracts::Policies P>
template <typename TryVictim>
TaskBase* Worker<P>::Sweep(TryVictim try_victim) noexcept {
  for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
    if (TaskBase* const task = try_victim(victims_.Next())) {
      victims_.RecordSuccess();
      return task;
    }
  }
  return nullptr;
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryStealFrom(std::uint32_t victim) noexcept {
  metrics.steal_attempts.Add();
  Worker& other = *pool_.Workers()[victim];
  if constexpr (kUnbounded) {
    if (options_.steals_whole_half) {
      TaskList half = other.local_queue_.GrabHalf();
      if (const std::size_t count = half.Size(); count > 0) {
        OnSteal(victim, count);
        return KeepList(std::move(half));
      }
      return TryStealForkedCall(victim);
    }
  }
  std::size_t stolen = 0;
  VisitQueues(other, [&](std::string_view, auto& queue) {
    if (stolen == 0) {
      stolen = queue.Grab({batch_.get(), options_.steal_batch});
    }
  });
  if (stolen == 0) {
    return TryStealForkedCall(victim);
  }
  OnSteal(victim, stolen);
  return KeepBatch({batch_.get(), stolen});
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryStealFromSlot(std::uint32_t victim) noexcept {
  metrics.steal_attempts.Add();
  TaskBase* const task = pool_.Workers()[victim]->lifo_slot_.TrySteal(index_);
  if (task != nullptr) {
    metrics.lifo_stolen.Add();
    OnSteal(victim, 1);
  }
  return task;
}

// Makes a fiber of the oldest call that a fiber of the victim has forked; null: there is no call.
template <contracts::Policies P>
TaskBase* Worker<P>::TryStealForkedCall(std::uint32_t victim) noexcept {
  bool counted = false;
  fibers::ForkedCall* const call =
      pool_.Workers()[victim]->forks_.TrySteal([this] { CountStolenCall(); }, counted);
  if (call == nullptr) {
    if (counted) {
      UncountStolenCall();
    }
    return nullptr;
  }
  found_backlog_ = !pool_.Workers()[victim]->forks_.IsEmpty();
  TaskBase* const task = call->MakeFiber(pool_);
  fibers::TraceReady(Tracing(), *task, SchedulerHint::UpToYou);
  OnSteal(victim, 1);
  return task;
}

template <contracts::Policies P>
void Worker<P>::OnSteal(std::size_t victim, std::size_t count) noexcept {
  metrics.steals.Add();
  metrics.tasks_stolen.Add(count);
  metrics.from_stolen.Add();
  StolenFromTally(victim).Add(count);
  Tracing().Record(trace::EventKind::kSteal, static_cast<std::uint32_t>(victim),
                   static_cast<std::uint32_t>(count));
}

// Returns the batch's first task. The others go to the local queue, or to the global queue where a
// thief still keeps slots of the local one (TwoHeadQueue).
template <contracts::Policies P>
TaskBase* Worker<P>::KeepBatch(std::span<TaskBase*> batch) noexcept {
  if (batch.size() > 1) {
    const std::span<TaskBase*> others = batch.subspan(1);
    const std::size_t pushed = local_queue_.PushMany(others);
    if (pushed < others.size()) [[unlikely]] {
      AppendToGlobalQueue(others.subspan(pushed), nullptr);
    }
    NotifyOfMoreTasks();
  }
  return batch.front();
}

// Returns the first task of a list, or null. The others go to the local queue.
template <contracts::Policies P>
TaskBase* Worker<P>::KeepList(TaskList&& tasks) noexcept {
  TaskBase* const first = tasks.TryPopFront();
  if (!tasks.IsEmpty()) {
    local_queue_.Append(std::move(tasks));
    NotifyOfMoreTasks();
  }
  return first;
}

// (found) Leaves the search with a task. If the victim or the local queue has many more, wakes
// workers for them. Otherwise the last to leave checks all queues again and wakes a worker if one
// holds a task. If no worker watches the slots, wakes an idle one, which then watches.
template <contracts::Policies P>
void Worker<P>::FoundWork() noexcept {
  searching_ = false;
  stuck_ = kNone;  // what FindStuckTask() found is outdated by the next search
  metrics.searches_found.Add(alone_ ? 0 : 1);
  const bool last = pool_.Coordination().EndSearch();
  SlotWatch* const watch = Watch();
  if (FoundBacklog()) {
    NotifyOfBacklog();
  } else if ((last && pool_.HasWork()) || (watch != nullptr && watch->IsMissing())) {
    Notify();
  }
}

// Returns whether two more workers would find tasks at once. A forked call is worth a worker, as it
// mostly forks calls itself. For tasks in the local queue the limit is arbitrary: 16 of them take
// longer than two wakes, if each takes a microsecond.
template <contracts::Policies P>
bool Worker<P>::FoundBacklog() noexcept {
  constexpr std::size_t kBacklog = 16;
  return std::exchange(found_backlog_, false) || local_queue_.Size() >= kBacklog;
}

// ---- Park ----

// (park) Announces that the worker parks, checks all queues once more if no worker searches, and
// parks.
template <contracts::Policies P>
typename Worker<P>::Parked Worker<P>::RecheckThenPark() noexcept {
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
    // The work is for another worker. The pool does not end before that one announces itself again.
  } else if (announced.last && pool_.TryEnd(index_)) {
    End();
    return {.task = nullptr};
  }
  const bool stayed = Park();
  return {.task = nullptr, .left = !stayed};
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryPickTaskBeforePark() noexcept {
  TaskBase* const task = TryPickTask();
  return task != nullptr ? task : Search();
}

// Sleeps until a thread unparks the worker, which then searches. False: it has left the thread.
template <contracts::Policies P>
bool Worker<P>::Park() noexcept {
  BeginPark();
  if (pool_.HandOffs() != nullptr) {
    const Coordinator::Slept slept = Vacate();
    if (slept == Coordinator::Slept::kVacant) {
      return false;
    }
    WakeMonitor();
    EndPark(slept);
    return true;
  }
  EndPark(SleepAndWatch());
  return true;
}

template <contracts::Policies P>
void Worker<P>::BeginPark() noexcept {
  if (just_woken_) {
    metrics.noop_wakes.Add();
  }
  metrics.parks.Add();
  timers_.SetAsleep();
  BeginWithoutTask();
  TraceQueueLengths();  // the lengths recorded last would otherwise seem to last while it sleeps
  SetActivity(executors::WorkerActivity::kPark);
  metrics.park_ns.StartAt(metrics.search_ns.Stop());
}

template <contracts::Policies P>
void Worker<P>::EndPark(Coordinator::Slept slept) noexcept {
  if (slept == Coordinator::Slept::kEnded) {
    End();
  }
  metrics.search_ns.StartAt(metrics.park_ns.Stop());
  SetActivity(executors::WorkerActivity::kSearch);
  searching_ = true;
  just_woken_ = true;
  poll_.Slept();
}

// Makes PickTask() return null.
template <contracts::Policies P>
void Worker<P>::End() noexcept {
  stopping_ = true;
  state_check_requested_.Store(true, memory_order_relaxed);
}

}  // namespace schedbench::schedulers
