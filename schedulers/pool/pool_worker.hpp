#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "base/spin_wait.hpp"
#include "executors/task_source.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/trace_ready.hpp"
#include "fibers/sync/select.hpp"
#include "metrics/task_times.hpp"
#include "metrics/worker_metrics.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/quiescence.hpp"
#include "schedulers/queues/queue_models.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace schedbench::schedulers {

using executors::SchedulerHint;
using executors::TaskBase;

template <typename Worker>
class WorkerPool;

// The part of a worker that does not depend on its queues: how it comes from one task to the next, searches, sleeps,
// and counts. The protocol and its proof: README.md in this folder. Belongs to one thread; others read its metrics.
//
// `Worker` derives from PoolWorker<Worker> and has
//   using Config, GlobalQueue                     see WorkerPool
//   void Submit(TaskBase*, SchedulerHint)         by a task of this worker
//   void SubmitAll(TaskList&&, SchedulerHint)     the same for many
//   TaskBase* TryPickTask()                       from what is at hand; of ITaskSource
//   TaskBase* TryStealTasks()                     from the other workers; called while it searches
//   TaskBase* TryGrabTasksFromGlobalQueue()
//   TaskList HandOffTasks()                        all that it has, also what only it could take; not for a lone worker
//   bool HasTasksToSteal() const                  any thread: whether another worker could take one here
//   std::vector<QueueDepth> Depths() const        any thread: how many tasks wait where
//   std::size_t TasksToRun() const                how many tasks wait here, but for one that is to run next
// TryPickTask() ends with Picked(); of the other two that is done here. Now and then it returns null if RecheckRequested().
template <typename Worker>
class alignas(kCacheLine) PoolWorker : public executors::ITaskSource {
 public:
  using Pool = WorkerPool<Worker>;

  // What only some configs can ask for: that a submit wakes all; another meaning of idleness. Such a worker hides these.
  static constexpr bool kMayNotifyAll = false;
  template <typename Config>
  static bool NotifiesAll(const Config& /*config*/) noexcept {
    return false;
  }
  static constexpr bool kMayShareCounter = false;
  template <typename Config>
  static QuiescenceCriterion QuiescenceOf(const Config& /*config*/) noexcept {
    return QuiescenceCriterion::kTasks;
  }

  PoolWorker(const PoolWorker&) = delete;
  PoolWorker& operator=(const PoolWorker&) = delete;

  // Serves until the pool stops. The thread's whole work.
  void Work() noexcept {
    fibers::SeedSelect(select_seed_);
    CurrentWorker::Set(&Self());
    fibers::FiberThread::RunLoop(*this, pool_.Stacks());
    CurrentWorker::Set(nullptr);
  }

  // The worker whose thread this is, or null.
  static Worker* Current() noexcept {
    return CurrentWorker::Get();
  }

  bool IsOf(const Pool& pool) const noexcept {
    return &pool_ == &pool;
  }

  // ---- ITaskSource ----

  TaskBase* PickTask() noexcept final;

  void TaskDone(bool ended) noexcept final {
    // Both after all that the task submitted: WaitIdle relies on it.
    if (ended) {
      metrics_.ended.AddRelease();
    }
    metrics_.tasks_run.AddRelease();
    if constexpr (Worker::kMayShareCounter) {
      if (counter_ != nullptr) [[unlikely]] {
        counter_->Done();
      }
    }
  }

  bool MayRunAgain() const noexcept final {
    // Not every pick order looks at the global queue before it has nothing.
    return !RecheckRequested() && pool_.Global().Counts().IsEmpty();
  }

  void RunAgain() noexcept final {
    times_.OnNoTask();
    metrics_.tasks_submitted.Add();
    metrics_.submits_yield.Add();
    metrics_.from_self.Add();
    metrics_.tasks_run.AddRelease();
  }

  void Migrated() noexcept final {
    metrics_.migrations.Add();
  }

  // ---- Any thread ----

  // Tells the worker that it may be to rest, after Coordinator::SetActive(): see WorkerPool::SetActiveWorkers().
  void RequestRecheck() noexcept {
    // relaxed: the fence (R) of SetActive() comes before it, by which the acquire in Deactivate() sees who may serve.
    recheck_requested_.Store(true, memory_order_relaxed);
  }

  const metrics::WorkerMetrics& Metrics() const noexcept {
    return metrics_;
  }

  const metrics::TaskTimes& Times() const noexcept {
    return times_;
  }

  // How many tasks this worker has stolen from worker number `victim`.
  std::uint64_t StolenFrom(std::size_t victim) const noexcept {
    return stolen_from_[victim].tasks.Get();
  }

 protected:
  // `index`: 0 .. workers - 1.
  PoolWorker(Pool& pool, std::uint32_t index, std::uint32_t workers, std::uint64_t seed)
      : ITaskSource(pool),
        pool_(pool),
        alone_(workers == 1),
        counter_(pool.Counter()),
        index_(index),
        stolen_from_(workers),
        sampler_(DeriveSeed(seed, 0)),
        select_seed_(DeriveSeed(seed, 1)) {
  }

  ~PoolWorker() = default;

  // Whether the worker has to pass through PickTask() soon, because it is to rest or to end.
  SB_ALWAYS_INLINE bool RecheckRequested() const noexcept {
    // relaxed: read again in Deactivate().
    return recheck_requested_.Load(memory_order_relaxed);
  }

  // Counts a submitted task. Before the task can be seen by others: WaitIdle relies on it.
  SB_ALWAYS_INLINE void Submitted(TaskBase* task, SchedulerHint hint) noexcept {
    fibers::TraceReady(Tracing(), *task, hint);
    if constexpr (Worker::kMayShareCounter) {
      if (counter_ != nullptr) [[unlikely]] {
        counter_->Submitted();
      }
    }
    metrics_.tasks_submitted.Add();
    if (task->kind != executors::TaskKind::kSuspendedFiber) {
      metrics_.spawned.Add();
    }
    sampler_.OnReady(task->ready_stamp);
  }

  // A task that has been picked, on its way to Run().
  SB_ALWAYS_INLINE TaskBase* Picked(TaskBase* task) noexcept {
    if (task != nullptr) {
      times_.OnRun(task->ready_stamp);
    }
    return task;
  }

  // After a task was put where others can take it.
  SB_ALWAYS_INLINE void Notify() noexcept {
    if (alone_ && !Worker::kMayNotifyAll) {
      return;
    }
    Count(pool_.Notify());
  }

  // After `count` tasks were put there.
  void NotifyMany(std::uint64_t count) noexcept {
    if (alone_ && !Worker::kMayNotifyAll) {
      return;
    }
    Count(pool_.NotifyMany(count));
  }

  // The same after taking several tasks from elsewhere, all but one of which others can take here.
  void NotifyOfMoreTasks() noexcept {
    // While we search, others rely on FoundWork() to wake the next one.
    if (!searching_) {
      Notify();
    }
  }

  // Counts a steal of `count` tasks from worker number `victim`, of which one runs at once.
  void Stole(std::size_t victim, std::size_t count) noexcept {
    metrics_.steals.Add();
    metrics_.tasks_stolen.Add(count);
    metrics_.from_stolen.Add();
    stolen_from_[victim].tasks.Add(count);
    Tracing().Record(trace::EventKind::kSteal, static_cast<std::uint32_t>(victim),
                     static_cast<std::uint32_t>(count));
  }

  // Counts tasks that were taken from the global queue, of which one runs at once.
  void RecordGrab(std::size_t count) noexcept {
    metrics_.from_global.Add();
    metrics_.global_grabs.Add();
    metrics_.tasks_grabbed.Add(count);
    Tracing().Record(trace::EventKind::kGrabSize, 0, static_cast<std::uint32_t>(count));
  }

  // Counts tasks that go to the global queue, together.
  void Offloaded(std::size_t count) noexcept {
    metrics_.offloads.Add();
    metrics_.tasks_offloaded.Add(count);
    Tracing().Record(trace::EventKind::kOffload, 0, static_cast<std::uint32_t>(count));
  }

  // Now and then: how long the queues are.
  SB_ALWAYS_INLINE void TraceQueueLengths() noexcept {
    if (Tracing().IsOn()) [[unlikely]] {
      RecordQueueLengths();
    }
  }

  // Lets the next search begin so many CPU pauses later: what was stolen last was hardly worth the journey of its cache
  // lines.
  void PauseBeforeSearch(std::uint32_t pauses) noexcept {
    pauses_ = pauses;
  }

  // ---- Owner only, at each task ----
  Pool& pool_;
  const bool alone_;              // the only worker: nobody to wake, nobody to steal from
  SharedCounter* const counter_;  // the pool's, if it has one

 private:
  using CurrentWorker = platform::ThreadLocalPtr<Worker, Worker>;

  Worker& Self() noexcept {
    return static_cast<Worker&>(*this);
  }

  SB_ALWAYS_INLINE void Count(Coordinator::Notified notified) noexcept {
    if (notified.woken != 0) {
      metrics_.wakes_sent.Add(notified.woken);
    } else if (notified.searched) {
      metrics_.notify_skipped_searching.Add();
    } else {
      metrics_.notify_skipped_no_idle.Add();
    }
  }

  SB_NOINLINE void RecordQueueLengths() noexcept {
    using trace::QueueKind;
    Tracing().Record(trace::EventKind::kQueueLength,
                     static_cast<std::uint32_t>(Self().TasksToRun()),
                     static_cast<std::uint32_t>(QueueKind::kLocal));
    Tracing().Record(trace::EventKind::kQueueLength,
                     static_cast<std::uint32_t>(pool_.Global().Counts().Size()),
                     static_cast<std::uint32_t>(QueueKind::kGlobal));
  }

  // The way to sleep. Each returns a task that turned up, or null.
  TaskBase* Search() noexcept;
  TaskBase* RecheckThenPark() noexcept;
  TaskBase* TryPickTaskBeforePark() noexcept;
  void Park() noexcept;
  // Sleeps while the worker is not to serve.
  void Deactivate() noexcept;
  void HandOffTasks() noexcept;
  void End() noexcept;
  void BeginSearch() noexcept;
  void FoundWork() noexcept;
  // Around the time that search_ns counts.
  void BeginIdle() noexcept;
  void EndIdle() noexcept;

  bool searching_ = false;   // counted as searching in the coordinator
  bool looking_ = false;     // search_ns runs
  bool just_woken_ = false;  // woken, and no task found since
  bool stopping_ = false;
  // Written by the owner, and by who changes the number of workers. Always true when stopping_.
  Atomic<bool> recheck_requested_{false};
  SpinWait futile_looks_;     // since the last task
  std::uint32_t pauses_ = 0;  // before the next search
  const std::uint32_t index_;
  // On lines of their own, as metrics_.
  struct alignas(kCacheLine) OfVictim {
    metrics::Tally tasks;
  };
  std::vector<OfVictim> stolen_from_;  // of each worker
  metrics::ReadySampler sampler_;
  const std::uint64_t select_seed_;

 protected:
  // ---- Written by the owner, read by others ----
  alignas(kCacheLine) metrics::WorkerMetrics metrics_;

 private:
  alignas(kCacheLine) metrics::TaskTimes times_;
};

template <typename Worker>
TaskBase* PoolWorker<Worker>::PickTask() noexcept {
  for (;;) {
    if (RecheckRequested()) [[unlikely]] {
      if (stopping_) {
        EndIdle();
        return nullptr;
      }
      Deactivate();
      continue;
    }
    TaskBase* task = Self().TryPickTask();
    if (task == nullptr) {
      if (RecheckRequested()) [[unlikely]] {
        continue;  // that it had nothing may be due to this alone
      }
      BeginIdle();
      task = Search();
    }
    if (task == nullptr) {
      task = RecheckThenPark();
    }
    if (task != nullptr) {
      if (searching_) {
        FoundWork();
      }
      EndIdle();
      just_woken_ = false;
      futile_looks_ = SpinWait();
      return task;
    }
  }
}

template <typename Worker>
void PoolWorker<Worker>::BeginIdle() noexcept {
  if (!looking_) {
    looking_ = true;
    SetActivity(executors::WorkerActivity::kSearch);
    times_.OnNoTask();
    metrics_.search_ns.Start();
  }
}

template <typename Worker>
void PoolWorker<Worker>::EndIdle() noexcept {
  if (looking_) {
    looking_ = false;
    SetActivity(executors::WorkerActivity::kRun);
    metrics_.search_ns.Stop();
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
    metrics_.searches.Add();
  } else {
    metrics_.searches_denied.Add();
  }
}

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

template <typename Worker>
void PoolWorker<Worker>::FoundWork() noexcept {
  searching_ = false;
  metrics_.searches_found.Add(alone_ ? 0 : 1);
  if (pool_.Coordination().EndSearch() && pool_.HasWork()) {
    Notify();
  }
}

template <typename Worker>
TaskBase* PoolWorker<Worker>::RecheckThenPark() noexcept {
  Coordinator& coordinator = pool_.Coordination();
  const auto announced = coordinator.AnnouncePark(index_, searching_);
  searching_ = false;
  if (announced.look_around && pool_.HasWork() && coordinator.CancelPark(index_)) {
    searching_ = true;
    metrics_.parks_cancelled.Add();
    TaskBase* const task = TryPickTaskBeforePark();
    if (task == nullptr) {
      // Others were faster; or somebody is in the middle of a push or take, perhaps not even running, and until he is
      // done each look will find the same.
      futile_looks_.Spin();
    }
    return task;
  }
  if (announced.last && coordinator.TryEnd(index_)) {
    End();
    return nullptr;
  }
  Park();
  return nullptr;
}

template <typename Worker>
TaskBase* PoolWorker<Worker>::TryPickTaskBeforePark() noexcept {
  TaskBase* const task = Self().TryPickTask();
  return task != nullptr ? task : Search();
}

template <typename Worker>
void PoolWorker<Worker>::Park() noexcept {
  if (just_woken_) {
    metrics_.noop_wakes.Add();
  }
  metrics_.parks.Add();
  BeginIdle();
  TraceQueueLengths();  // else they seem to stay what they were when they were looked at last
  SetActivity(executors::WorkerActivity::kPark);
  metrics_.park_ns.StartAt(metrics_.search_ns.Stop());
  if (!pool_.Coordination().Park(index_)) {
    End();
  }
  metrics_.search_ns.StartAt(metrics_.park_ns.Stop());
  SetActivity(executors::WorkerActivity::kSearch);
  searching_ = true;
  just_woken_ = true;
}

template <typename Worker>
void PoolWorker<Worker>::End() noexcept {
  stopping_ = true;
  // relaxed: our own.
  recheck_requested_.Store(true, memory_order_relaxed);
}

template <typename Worker>
void PoolWorker<Worker>::Deactivate() noexcept {
  times_.OnNoTask();
  // acquire: pairs with (R) of Coordinator::SetActive(), by the store in RequestRecheck().
  static_cast<void>(recheck_requested_.Exchange(false, memory_order_acquire));
  Coordinator& coordinator = pool_.Coordination();
  while (!stopping_ && !coordinator.IsActive(index_)) {
    HandOffTasks();
    const auto announced = coordinator.AnnounceInactive(index_, searching_);
    searching_ = false;
    if (coordinator.IsActive(index_)) {
      if (coordinator.CancelPark(index_)) {
        searching_ = true;
        return;
      }
    } else if (announced.look_around && pool_.HasWork()) {
      Notify();
    }
    if (announced.last && coordinator.TryEnd(index_)) {
      End();
      return;
    }
    Park();
  }
}

template <typename Worker>
void PoolWorker<Worker>::HandOffTasks() noexcept {
  TaskList tasks = Self().HandOffTasks();
  if (const std::size_t count = tasks.Size(); count > 0) {
    Offloaded(count);
    pool_.Global().Append(std::move(tasks));
    NotifyMany(count);
  }
}

}  // namespace schedbench::schedulers
