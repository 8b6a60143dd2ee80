#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "base/spin_wait.hpp"
#include "fibers/time/timer_queue.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "schedulers/machines/call_word.hpp"
#include "schedulers/machines/machine.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/hand_off.hpp"
#include "schedulers/pool/observed_source.hpp"
#include "schedulers/pool/quiescence.hpp"
#include "schedulers/pool/slot_watch.hpp"
#include "schedulers/queues/contracts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::fibers {
class ForkQueue;
}

namespace schedbench::schedulers {

using executors::SchedulerHint;
using executors::TaskBase;

template <typename Worker>
class WorkerPool;

// The part of a worker that does not depend on its queues. Belongs to one thread. These files
// define the members, and worker_pool.hpp includes them:
//  run_loop.hpp   how a worker gets from one task to the next
//  search.hpp     what it does without a task, and when it wakes others
//  park.hpp       how it sleeps
//  resize.hpp     how it stops serving when the pool shrinks
//  blocking.hpp   how it changes its thread when a fiber blocks the thread
//  timers.hpp     how it runs timers, its own and those of busy workers
// README.md has the protocol and its proof. contract.hpp has what `Worker` must provide.
template <typename Worker>
class alignas(kCacheLine) PoolWorker : public ObservedSource {
 public:
  using Pool = WorkerPool<Worker>;

  // Defaults of what few configs need. A worker that supports one of them hides the default.
  static constexpr bool kMayNotifyAll = false;  // a submit may wake all workers
  template <typename Config>
  static bool NotifiesAll(const Config& /*config*/) noexcept {
    return false;
  }
  fibers::ForkQueue* Forks() noexcept {
    return nullptr;  // each forked call is a fiber
  }
  SlotWatch* Watch() noexcept {
    return nullptr;  // no slot is watched
  }
  bool FindStuckTask(SlotWatch& /*watch*/) noexcept {
    return false;
  }
  void ForgetStuckTask() noexcept {
  }
  static constexpr bool kMayHandOff = false;  // a worker may change its thread
  void OnFiberLeaves() noexcept {
  }
  void OnSlept() noexcept {
  }
  bool HasTasksAtHand() const noexcept {
    return false;
  }
  bool SlotIsWatched() const noexcept {
    return false;
  }
  TaskBase* TakeStuckTask(SlotWatch& /*watch*/) noexcept {
    return nullptr;
  }
  // WaitIdle may use a counter that all workers share.
  static constexpr bool kMayShareCounter = false;
  template <typename Config>
  static QuiescenceCriterion QuiescenceOf(const Config& /*config*/) noexcept {
    return QuiescenceCriterion::kTasks;
  }

  PoolWorker(const PoolWorker&) = delete;
  PoolWorker& operator=(const PoolWorker&) = delete;

  // ---- The worker's thread ----

  // Runs tasks until the pool stops. The thread's whole work.
  void Work() noexcept;

  TaskBase* PickTask() noexcept final;
  void TaskDone(bool ended) noexcept final;
  bool MayRunAgain() const noexcept final;
  executors::ITaskSource* BeginBlocking(executors::BlockingCall call) noexcept final;
  void SubmitPinned(TaskBase* task) noexcept final;

  // ---- A thread of a pool that hands off workers ----

  // Runs tasks of the caller's worker until it leaves the thread, or the pool stops.
  void Serve(Machine& machine) noexcept;

  // Returns to the worker, which waited for the call.
  void Continue(Machine& machine) noexcept;

  // Continues on a worker that the caller got from Coordinator::TryTake().
  void ContinueOnVacant(Machine& machine) noexcept;

  // Leaves the worker, which is the caller's, to another thread that runs it when it has work.
  void LeaveToOthers() noexcept;

  // ---- Any thread ----

  // The kernel's number of the thread that runs the worker, or ran it last.
  int ThreadNumber() const noexcept {
    // relaxed: a hint; a signal that meets the wrong thread does nothing.
    return thread_number_.Load(memory_order_relaxed);
  }

  // Returns CallWord::Get(): the short blocking call that the worker waits for.
  std::uint64_t CurrentCall() const noexcept {
    return call_.Get();
  }

  // Calls CallWord::TryEnd().
  bool TryEndCall(std::uint64_t call) noexcept {
    return call_.TryEnd(call);
  }

  // Returns the worker that the calling thread belongs to, or null.
  static Worker* Current() noexcept {
    return CurrentWorker::Get();
  }

  bool BelongsTo(const Pool& pool) const noexcept {
    return &pool_ == &pool;
  }

  // Makes the worker check soon whether it is still active. Call it after Coordinator::SetActive().
  void RequestRecheck() noexcept;

  // The timers of the fibers that slept last on this worker.
  fibers::TimerQueue& Timers() noexcept {
    return timers_;
  }

  // Returns how many tasks this worker has stolen from worker number `victim`.
  std::uint64_t StolenFrom(std::size_t victim) const noexcept {
    return StolenFromTally(victim).Get();
  }

 protected:
  // `index`: 0 .. workers - 1.
  PoolWorker(Pool& pool, std::uint32_t index, std::uint32_t workers, std::uint64_t seed)
      : ObservedSource(pool, DeriveSeed(seed, 0)),
        pool_(pool),
        index_(index),
        alone_(workers == 1),
        counter_(pool.Counter()),
        timers_(pool.Timers()),
        stolen_from_((workers + TallyLine::kTallies - 1) / TallyLine::kTallies),
        select_seed_(DeriveSeed(seed, 1)) {
  }

  ~PoolWorker() = default;

  // Returns whether the worker must return to PickTask() soon, to be deactivated or to end.
  SB_ALWAYS_INLINE bool RecheckRequested() const noexcept {
    // relaxed: read again in Deactivate().
    return recheck_requested_.Load(memory_order_relaxed);
  }

  // Counts a submitted task. Call it before other threads can see the task: WaitIdle relies on it.
  SB_ALWAYS_INLINE void Submitted(TaskBase* task, SchedulerHint hint) noexcept {
    OnSubmit(*task, hint);
    if constexpr (Worker::kMayShareCounter) {
      if (counter_ != nullptr) [[unlikely]] {
        counter_->Submitted();
      }
    }
  }

  // Counts a submit for a task that this worker is about to take from another, and that was not
  // counted. Call it before others can miss the task, and TakeBack() if they were faster: WaitIdle
  // relies on it.
  void Announce() noexcept {
    metrics.tasks_submitted.Add();
    metrics.spawned.Add();
    if constexpr (Worker::kMayShareCounter) {
      if (counter_ != nullptr) [[unlikely]] {
        counter_->Submitted();
      }
    }
  }
  void TakeBack() noexcept {
    metrics.tasks_submitted.TakeBack();
    metrics.spawned.TakeBack();
    if constexpr (Worker::kMayShareCounter) {
      if (counter_ != nullptr) [[unlikely]] {
        counter_->Done();
      }
    }
  }

  // Wakes a worker if necessary, after a task was put where others can take it.
  SB_ALWAYS_INLINE void Notify() noexcept {
    if (alone_ && !pool_.NotifiesAll()) {
      return;
    }
    Count(pool_.Notify());
  }

  // Notify() after `count` tasks were put there.
  void NotifyMany(std::uint64_t count) noexcept {
    if (alone_ && !pool_.NotifiesAll()) {
      return;
    }
    Count(pool_.NotifyMany(count));
  }

  // Notify() after this worker took several tasks: others can take all but one of them from it.
  void NotifyOfMoreTasks() noexcept {
    // A searching worker notifies in FoundWork().
    if (!searching_) {
      Notify();
    }
  }

  // Counts a steal of `count` tasks from worker number `victim`, of which one runs at once.
  void OnSteal(std::size_t victim, std::size_t count) noexcept;

  // Returns a fiber that only this thread may resume, or null.
  TaskBase* TryPickPinned() noexcept;

  // Submits fibers whose sockets are ready, if no thread of the pool has polled recently.
  SB_ALWAYS_INLINE void LookAtNetIfDue() noexcept {
    if constexpr (Worker::kMayHandOff) {
      if (HandOff<Worker>* const hand_off = pool_.HandOffs()) {
        OnNetPoll(hand_off->LookAtNetIfDue());
      }
    }
  }

  // Called if a task came before an idle worker left its thread: no thread has woken the monitor.
  void WakeMonitor() noexcept {
    if constexpr (Worker::kMayHandOff) {
      if (HandOff<Worker>* const hand_off = pool_.HandOffs()) {
        hand_off->WakeMonitor();
      }
    }
  }

  // Resumes fibers whose deadlines have passed. Called now and then.
  SB_ALWAYS_INLINE void RunTimersIfAny() noexcept {
    if (pool_.Timers().IsUsed()) {
      RunSomeTimers();
    }
  }

  // Records how long the queues are. Called now and then.
  SB_ALWAYS_INLINE void TraceQueueLengths() noexcept {
    if (Tracing().IsOn()) [[unlikely]] {
      RecordQueueLengths();
    }
  }

  // Before Work(): sets the pause before a search that follows short tasks; 0: no pause.
  void SetSearchPause(std::chrono::nanoseconds pause) noexcept {
    search_pause_ns_ = static_cast<std::uint64_t>(pause.count());
  }

  // ---- Owner only, at each task ----
  Pool& pool_;
  const std::uint32_t index_;
  const bool alone_;              // the only worker: no other to wake or to steal from
  SharedCounter* const counter_;  // the pool's counter, or null

 private:
  // A task is short if it takes less, including the cost of its steal. To move its cache lines
  // takes 100 to 300 ns, so that two workers run more than one does only if tasks take longer
  // (../fast/PERFORMANCE.md has figures).
  static constexpr std::uint64_t kShortTaskNs = 150;
  // Approximate cost of a search that steals.
  static constexpr std::uint64_t kSearchNs = 1000;

  using CurrentWorker = platform::ThreadLocalPtr<Worker, Worker>;

  Worker& Self() noexcept {
    return static_cast<Worker&>(*this);
  }

  SB_ALWAYS_INLINE void Count(Coordinator::Notified notified) noexcept {
    if (notified.woken != 0) {
      metrics.wakes_sent.Add(notified.woken);
    } else if (notified.searched) {
      metrics.notify_skipped_searching.Add();
    } else {
      metrics.notify_skipped_no_idle.Add();
    }
  }

  metrics::Tally& StolenFromTally(std::size_t victim) noexcept {
    return stolen_from_[victim / TallyLine::kTallies].tasks[victim % TallyLine::kTallies];
  }
  const metrics::Tally& StolenFromTally(std::size_t victim) const noexcept {
    return stolen_from_[victim / TallyLine::kTallies].tasks[victim % TallyLine::kTallies];
  }

  SB_NOINLINE void RecordQueueLengths() noexcept;

  // search.hpp
  void BeginIdle() noexcept;
  void EndIdle() noexcept;
  void BeginSearch() noexcept;
  void PauseBeforeSearch() noexcept;
  TaskBase* Search() noexcept;
  void FoundWork() noexcept;

  // park.hpp
  struct Parked {
    TaskBase* task;     // found by the recheck, or null
    bool left = false;  // the worker has left the thread, which may not touch it any more
  };
  Parked RecheckThenPark() noexcept;
  TaskBase* TryPickTaskBeforePark() noexcept;
  [[nodiscard]] bool Park() noexcept;
  void BeginPark() noexcept;
  void EndPark(Coordinator::Slept slept) noexcept;
  Coordinator::Slept SleepAndWatch() noexcept;
  Coordinator::Slept Vacate() noexcept;
  void End() noexcept;

  // resize.hpp
  [[nodiscard]] bool Deactivate() noexcept;
  void ReleaseTasks() noexcept;

  // timers.hpp
  SB_NOINLINE void RunSomeTimers() noexcept;
  bool RunAllTimers() noexcept;

  // blocking.hpp
  void Attach(Machine& machine) noexcept;
  static void Detach() noexcept;
  bool LookAtNet() noexcept;
  executors::ITaskSource* LeaveThread(executors::BlockingCall call) noexcept;

  fibers::TimerQueue timers_;
  std::size_t timers_of_ = 0;  // index of the worker whose timers were checked last
  bool searching_ = false;     // counted as searching in the coordinator
  bool is_idle_ = false;       // search_ns or park_ns runs
  bool just_woken_ = false;    // woken, and no task found since
  bool stopping_ = false;
  bool is_vacant_ = false;      // parked, and left its thread
  Machine* machine_ = nullptr;  // its thread, if workers are handed off
  CallWord call_;
  Atomic<int> thread_number_{0};
  bool deactivates_late_ = false;  // inactive, and has to resume pinned fibers first
  // Written by the owner, and by SetActiveWorkers(). Always true when stopping_.
  Atomic<bool> recheck_requested_{false};
  SpinWait failed_rechecks_;  // counted since the last task
  std::uint64_t search_pause_ns_ = 0;
  std::uint64_t idle_since_ns_ = 0;  // time when it last ran out of tasks
  std::uint64_t busy_since_ns_ = 0;  // time when it last found a task
  std::uint64_t tasks_before_ = 0;   // number of tasks that it had run then
  // The owner writes the tallies and any thread reads them. They fill whole cache lines, so that no
  // two owners write to one line. Several share a line: there are workers * workers of them.
  struct alignas(kCacheLine) TallyLine {
    static constexpr std::size_t kTallies = kCacheLine / sizeof(metrics::Tally);
    std::array<metrics::Tally, kTallies> tasks;
  };
  std::vector<TallyLine> stolen_from_;  // tasks stolen from each worker
  const std::uint64_t select_seed_;
};

}  // namespace schedbench::schedulers
