#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "base/spin_wait.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/fork/forked_call.hpp"
#include "fibers/net/call_batch.hpp"
#include "fibers/time/timer_queue.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "schedulers/machines/call_word.hpp"
#include "schedulers/machines/machine.hpp"
#include "schedulers/pool/coordinator.hpp"
#include "schedulers/pool/hand_off.hpp"
#include "schedulers/pool/lifo_slot.hpp"
#include "schedulers/pool/observed_source.hpp"
#include "schedulers/pool/policies.hpp"
#include "schedulers/pool/poll_countdown.hpp"
#include "schedulers/pool/slot_watch.hpp"
#include "schedulers/queues/contracts.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace schedbench::schedulers {

using executors::SchedulerHint;
using executors::TaskBase;

template <contracts::Policies P>
class WorkerPool;

// A worker: its queues, and the loop that runs tasks from them. Belongs to one thread; others steal
// from its queues and its LIFO slot. run_loop.hpp has its life in the order in which it happens:
// pick, search, steal, park. Named calls lead to the rest, which worker_pool.hpp includes:
//  submit.hpp    where a submitted task goes
//  slots.hpp     how an idle worker watches the slots of busy ones
//  resize.hpp    how it stops serving when the pool shrinks
//  blocking.hpp  how it changes its thread when a fiber blocks the thread
//  timers.hpp    how it runs timers, its own and those of busy workers
// README.md has the protocol and its proof. policies.hpp has what `P` must provide.
template <contracts::Policies P>
class alignas(kCacheLine) Worker final : public ObservedSource,
                                         private fibers::ForkQueue::IScheduler,
                                         private fibers::CallBatch::IWorker {
 public:
  using Pool = WorkerPool<P>;

  // `index`: 0 .. config.workers - 1. `options`: P::OptionsOf(config).
  Worker(Pool& pool, std::uint32_t index, const typename P::Config& config,
         const WorkerOptions& options, std::uint64_t seed)
      : ObservedSource(pool, DeriveSeed(DeriveSeed(seed, 0), 0)),
        pool_(pool),
        index_(index),
        alone_(config.workers == 1U),
        batches_calls_(pool.HandOffs() != nullptr && pool.HandOffs()->BatchesCalls()),
        counter_(pool.Counter()),
        timers_(pool.Timers()),
        search_pause_ns_(static_cast<std::uint64_t>(options.search_pause.count())),
        stolen_from_((config.workers + TallyLine::kTallies - 1) / TallyLine::kTallies),
        select_seed_(DeriveSeed(DeriveSeed(seed, 0), 1)),
        lifo_slot_(options.lifo_limit, options.slot_is_open_to_thieves),
        poll_(options.global_poll_period),
        options_(options),
        batch_(std::make_unique_for_overwrite<TaskBase*[]>(options.max_batch)),
        victims_(options.victim, index, config.workers, DeriveSeed(seed, 1)),
        forks_(pool, *this,
               {.word = &pool.Coordination().IdlePeriods(), .mask = alone_ ? 0 : ~std::uint64_t{0}},
               std::bit_ceil(options.local_queue_capacity)),
        local_queue_(P::MakeLocalQueue(config, DeriveSeed(seed, 1))),
        yielded_(std::max(options.yield_queue_capacity, 2U), SharingOf(config.workers)) {
  }

  static Sharing SharingOf(std::uint32_t workers) noexcept {
    return workers == 1 ? Sharing::kOwnerOnly : Sharing::kStealable;
  }

  // ---- The worker's thread ----

  // Runs tasks until the pool stops. The thread's whole work.
  void Work() noexcept;

  TaskBase* PickTask() noexcept override;
  inline TaskBase* TryPickTask() noexcept override;
  bool TryTakeBack(TaskBase* task) noexcept override;
  void TaskDoneInline() noexcept override;
  void TaskDone(bool ended) noexcept override;
  bool MayRunAgain() const noexcept override;
  executors::ITaskSource* BeginBlocking(executors::BlockingCall call) noexcept override;
  void SubmitPinned(TaskBase* task) noexcept override;

  // From within a task. Submits a task, and wakes a worker for it if necessary.
  inline void Submit(TaskBase* task, SchedulerHint hint) noexcept;
  inline void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept;

  // ---- A thread of a pool that hands off workers ----

  // Runs tasks of the caller's worker until it leaves the thread, or the pool stops.
  void Serve(Machine& machine) noexcept;

  // Returns to the worker, which waited for the call.
  void Continue(Machine& machine) noexcept;

  // Continues on a worker that the caller got from Coordinator::TryTake().
  void ContinueOnVacant(Machine& machine) noexcept;

  // Leaves the worker, which is the caller's, to another thread that runs it when it has work.
  void LeaveToOthers() noexcept;

  // The monitor calls this. Returns a task that has waited in the slot for long, or null.
  inline TaskBase* TakeStuckTask(SlotWatch& watch) noexcept;

  // ---- Any thread ----

  // Returns the worker that the calling thread belongs to, or null.
  static Worker* Current() noexcept {
    return CurrentWorker::Get();
  }

  bool BelongsTo(const Pool& pool) const noexcept {
    return &pool_ == &pool;
  }

  // The kernel's number of the thread that runs the worker, or ran it last.
  int ThreadNumber() const noexcept {
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

  // Makes the worker check soon whether it is still active. Call it after Coordinator::SetActive().
  void RequestStateCheck() noexcept;

  // The calls on sockets that its fibers make in batches.
  fibers::CallBatch& Batch() noexcept {
    return calls_to_make_;
  }

  // The timers of the fibers that slept last on this worker.
  fibers::TimerQueue& Timers() noexcept {
    return timers_;
  }

  // Returns whether another thread takes a task that waits for long out of the slot.
  bool SlotIsWatched() const noexcept {
    return options_.slot_is_watched;
  }

  // Returns whether another worker could take a task here, or make a call for one. True while a
  // task waits whose submit happens before the call and notified others. A task in the slot counts
  // only if it wakes workers.
  bool HasTasksToSteal() const noexcept {
    bool has_tasks = false;
    VisitQueues(*this, [&](std::string_view, const auto& queue) {
      has_tasks = has_tasks || !queue.IsEmpty();
    });
    return has_tasks || !forks_.IsEmpty() || !calls_to_make_.IsEmpty() ||
           (options_.slot_wakes_thieves && !lifo_slot_.IsEmptyForThieves());
  }

  // Returns how many tasks wait here, without one that runs next.
  std::size_t TasksToRun() const noexcept {
    std::size_t tasks = forks_.Size();
    VisitQueues(*this, [&](std::string_view, const auto& queue) { tasks += queue.Size(); });
    return tasks;
  }

  // Returns whether a task waits in any queue of this worker or in its slot, or a call in its
  // batch.
  bool HasTasksAtHand() const noexcept {
    return lifo_slot_.HoldsTask() || TasksToRun() != 0 || !calls_to_make_.IsEmpty();
  }

  // Returns how many tasks wait in which queue.
  std::vector<QueueDepth> Depths() const {
    std::vector<QueueDepth> depths;
    if constexpr (P::kHasSlot) {
      depths.push_back({"LIFO slot", lifo_slot_.HoldsTask() ? 1U : 0U});
    }
    if constexpr (P::kForks) {
      depths.push_back({"forked calls", forks_.Size()});
    }
    VisitQueues(*this, [&](std::string_view name, const auto& queue) {
      depths.push_back({name, queue.Size()});
    });
    return depths;
  }

  // Returns how many tasks this worker has stolen from worker number `victim`.
  std::uint64_t StolenFrom(std::size_t victim) const noexcept {
    return StolenFromTally(victim).Get();
  }

 private:
  static constexpr std::uint32_t kNone = ~0U;
  static constexpr std::uint32_t kNoWorker = kMaxWorkers;  // a thief that is not a worker

  // Whether queues move as lists, which have no fixed size.
  static constexpr bool kUnbounded = contracts::UnboundedQueue<typename P::LocalQueue>;

  using CurrentWorker = platform::ThreadLocalPtr<Worker, Worker>;

  // Stands in for the yield queue of a worker that does not have one.
  struct NoQueue {
    NoQueue(std::size_t /*capacity*/, Sharing /*sharing*/) {
    }
  };
  using YieldQueue = std::conditional_t<P::kHasYieldQueue, WorkStealingQueue, NoQueue>;

  // Calls visit(name, queue) for each queue that thieves may take from, the local queue first.
  template <typename AnyWorker, typename Visit>
  static void VisitQueues(AnyWorker& worker, Visit visit) {
    visit("local queue", worker.local_queue_);
    if constexpr (P::kHasYieldQueue) {
      visit("yield queue", worker.yielded_);
    }
  }

  // Functions on the path of a task are inline, so that the compiler makes few functions of them.

  // run_loop.hpp: a task at hand
  inline TaskBase* TryPollGlobalQueue() noexcept;
  inline TaskBase* TryPickFromSlot() noexcept;
  inline TaskBase* TryPickFromLocalQueue() noexcept;
  inline bool IsTurnOfYielded() noexcept;
  inline TaskBase* TryPickYielded() noexcept;
  inline TaskBase* TryGrabTasksFromGlobalQueue() noexcept;
  inline TaskBase* GrabWholeGlobalQueue() noexcept;

  // run_loop.hpp: search and steal
  void BeginWithoutTask() noexcept;
  void EndWithoutTask() noexcept;
  TaskBase* Search() noexcept;
  void PauseBeforeSearch() noexcept;
  inline TaskBase* TryStealTasks() noexcept;
  template <typename TryVictim>
  inline TaskBase* Sweep(TryVictim try_victim) noexcept;
  inline TaskBase* TryStealFrom(std::uint32_t victim) noexcept;
  inline TaskBase* TryStealFromSlot(std::uint32_t victim) noexcept;
  inline TaskBase* TryStealForkedCall(std::uint32_t victim) noexcept;
  inline TaskBase* KeepBatch(std::span<TaskBase*> batch) noexcept;
  inline TaskBase* KeepList(TaskList&& tasks) noexcept;
  void OnSteal(std::size_t victim, std::size_t count) noexcept;
  void FoundWork() noexcept;
  bool FoundBacklog() noexcept;

  // run_loop.hpp: park
  struct Parked {
    TaskBase* task;     // found by the recheck, or null
    bool left = false;  // the worker has left the thread, which may not touch it any more
  };
  Parked RecheckThenPark() noexcept;
  TaskBase* TryPickTaskBeforePark() noexcept;
  [[nodiscard]] bool Park() noexcept;
  void BeginPark() noexcept;
  void EndPark(Coordinator::Slept slept) noexcept;
  void End() noexcept;

  // submit.hpp
  void Submitted(TaskBase* task, SchedulerHint hint) noexcept;
  void CountStolenCall() noexcept;
  void UncountStolenCall() noexcept;
  void Notify() noexcept;
  void NotifyMany(std::uint64_t count) noexcept;
  void NotifyOfBacklog() noexcept;
  void NotifyOfMoreTasks() noexcept;
  void Count(Coordinator::Notified notified) noexcept;
  inline void PushNext(TaskBase* task) noexcept;
  bool ResumesToSlot() noexcept;
  inline void PushYielded(TaskBase* task) noexcept;
  inline void PushAndNotify(TaskBase* task) noexcept;
  inline void PushToLocalQueue(TaskBase* task) noexcept;
  template <typename Queue>
  inline void OffloadTasksToGlobalQueue(Queue& full, TaskBase* overflow) noexcept;
  inline void AppendToGlobalQueue(std::span<TaskBase* const> tasks, TaskBase* last) noexcept;
  inline void OnFiberLeaves() noexcept;
  SB_NOINLINE void StartForkedCalls() noexcept;
  void OnFirstFork() noexcept override;
  void OnForkWhileIdle() noexcept override;

  // slots.hpp
  inline SlotWatch* Watch() noexcept;
  inline bool LookAtSlot(SlotWatch& watch) noexcept;
  inline bool FindStuckTask(SlotWatch& watch) noexcept;
  Coordinator::Slept SleepAndWatch() noexcept;

  // resize.hpp
  bool StateCheckRequested() const noexcept;
  [[nodiscard]] bool Deactivate() noexcept;
  void ReleaseTasks() noexcept;

  // timers.hpp
  void RunTimersIfAny() noexcept;
  SB_NOINLINE void RunSomeTimers() noexcept;
  bool RunAllTimers() noexcept;

  // blocking.hpp
  void Attach(Machine& machine) noexcept;
  static void Detach() noexcept;
  fibers::ForkQueue* Forks() noexcept;
  TaskBase* TryPickPinned() noexcept;
  bool LookAtNet() noexcept;
  bool MayLookAtNetFirst() const noexcept;
  void LookAtNetIfDue() noexcept;
  inline void MakeCallsIfDue() noexcept;
  inline bool MakeCalls() noexcept;
  bool MakeCallsOfOthers() noexcept;
  bool HasOtherTasks() const noexcept override;
  void WakeMonitor() noexcept;
  Coordinator::Slept Vacate() noexcept;
  executors::ITaskSource* LeaveThread(executors::BlockingCall call) noexcept;

  // Records how long the queues are. Called now and then.
  SB_ALWAYS_INLINE void TraceQueueLengths() noexcept {
    if (Tracing().IsOn()) [[unlikely]] {
      RecordQueueLength(trace::QueueKind::kLocal, TasksToRun());
      RecordQueueLength(trace::QueueKind::kGlobal, pool_.Global().Counts().Size());
    }
  }

  // The owner writes these tallies, any thread reads them. They fill whole cache lines, so that no
  // line has two owners. Several share a line, because a pool has as many tallies as the square of
  // its workers.
  struct alignas(kCacheLine) TallyLine {
    static constexpr std::size_t kTallies = kCacheLine / sizeof(metrics::Tally);
    std::array<metrics::Tally, kTallies> tasks;
  };
  metrics::Tally& StolenFromTally(std::size_t victim) noexcept {
    return stolen_from_[victim / TallyLine::kTallies].tasks[victim % TallyLine::kTallies];
  }
  const metrics::Tally& StolenFromTally(std::size_t victim) const noexcept {
    return stolen_from_[victim / TallyLine::kTallies].tasks[victim % TallyLine::kTallies];
  }

  // ---- The owner's, but for what any thread calls: timers, calls, tallies and the slot ----
  Pool& pool_;
  const std::uint32_t index_;
  const bool alone_;              // the only worker: no other to wake or to steal from
  const bool batches_calls_;      // its fibers make calls on sockets in batches
  SharedCounter* const counter_;  // the pool's counter, or null
  fibers::TimerQueue timers_;
  std::size_t timers_of_ = 0;              // the worker whose timers were checked last
  std::uint32_t looks_before_search_ = 0;  // polls that found something, in a row
  bool searching_ = false;                 // counted as searching in the coordinator
  bool without_task_ = false;              // search_ns or park_ns runs
  bool just_woken_ = false;                // woken, and no task found since
  bool found_backlog_ = false;             // the victim of the last steal has more forked calls
  bool stopping_ = false;                  // PickTask() returns null
  bool is_vacant_ = false;                 // parked, and left its thread
  Machine* machine_ = nullptr;             // its thread, where workers are handed off
  CallWord call_;
  Atomic<int> thread_number_{0};   // relaxed: a hint; a signal to the wrong thread does nothing
  bool deactivates_late_ = false;  // inactive, and has to resume pinned fibers first
  // Written by the owner, and by SetActiveWorkers(). Always true when stopping_. relaxed: the owner
  // reads its own, and Deactivate() reads what SetActiveWorkers() wrote again.
  Atomic<bool> state_check_requested_{false};
  SpinWait failed_rechecks_;  // since the last task
  const std::uint64_t search_pause_ns_;
  std::uint64_t idle_since_ns_ = 0;  // time when it last ran out of tasks
  std::uint64_t busy_since_ns_ = 0;  // time when it last found a task
  std::uint64_t tasks_before_ = 0;   // number of tasks that it had run then
  std::vector<TallyLine> stolen_from_;
  const std::uint64_t select_seed_;
  LifoSlot lifo_slot_;
  PollCountdown poll_;
  bool polls_pinned_ = false;
  std::uint64_t last_due_join_ns_ = 0;  // time of the last join that suspended because of poll_
  const WorkerOptions options_;
  // Tasks on their way from one queue to another: options_.max_batch of them, and not initialized,
  // so that a worker has only the pages that it uses.
  const std::unique_ptr<TaskBase*[]> batch_;
  VictimOrder victims_;
  std::uint32_t stuck_ = kNone;  // the worker in whose slot a task waits for long
  // Pushed() of the global queue when the tasks in yielded_ were last checked; 0 before that.
  std::uint64_t yield_ticket_ = 0;

  // ---- Written by the owner, read by others ----
  alignas(kCacheLine) fibers::ForkQueue forks_;  // calls that the fibers of this worker fork
  fibers::CallBatch calls_to_make_{*this};
  alignas(kCacheLine) typename P::LocalQueue local_queue_;
  // In order its tasks are at the tail of the global queue; here they stay in the caches of this
  // worker and cost no lock. Other workers may steal them.
  [[no_unique_address]] YieldQueue yielded_;
};

}  // namespace schedbench::schedulers
