#pragma once

#include "fibers/core/fiber_stack.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/fork/forked_call.hpp"
#include "schedulers/pool/global_grab.hpp"
#include "schedulers/pool/lifo_slot.hpp"
#include "schedulers/pool/overflow.hpp"
#include "schedulers/pool/poll_countdown.hpp"
#include "schedulers/pool/pool_worker.hpp"
#include "schedulers/pool/victim_order.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::schedulers {

namespace contracts {

// The policies of a StealingWorker that are code: public functions of W.
template <typename W>
concept StealingPolicies = requires(W& worker, TaskBase* task) {
  // Owner. Stores a task that yields. The caller notifies.
  { worker.PushYielded(task) } noexcept -> std::same_as<void>;
  // Owner. Picks when the LIFO slot is empty. Begins with TryPickTaskFromLocalQueue().
  { worker.TryPickTaskFromQueues() } noexcept -> std::same_as<TaskBase*>;
  // Any thread. Calls visit(name, queue) for each queue of `worker` but its local queue.
  W::VisitMoreQueues(worker, [](std::string_view, const auto&) {});
};

}  // namespace contracts

// The policies of a StealingWorker that are numbers and choices.
struct StealingOptions {
  std::uint32_t lifo_limit;      // 0: no LIFO slot
  bool resumes_to_slot = false;  // a fiber that is resumed without a hint goes to the slot
  bool slot_is_open_to_thieves = false;
  bool slot_wakes_thieves = false;  // a task that is alone in the slot wakes a worker
  // An idle worker takes a task that waits for long; requires slot_is_open_to_thieves.
  bool slot_is_watched = false;
  std::uint32_t global_poll_period;
  GlobalGrab global_grab;
  std::size_t steal_batch;
  std::size_t max_batch;  // most tasks that move between two queues at a time
  Overflow overflow;
  Victim victim;
};

// A worker with a LIFO slot and a local queue, which polls the global queue and steals: all that
// `fast` and `work_stealing` share. They differ in policies. Belongs to one thread; others steal
// from its queue and slot.
//
// `Worker` derives from StealingWorker<Worker, Local> and provides contracts::StealingPolicies.
// Thieves, the hand-off and the reports reach all queues but the LIFO slot by VisitQueues(). A
// Worker may hide TryPollGlobalQueue(), TryGrabTasksFromGlobalQueue(), TryStealTasks() and
// GrabFrom() where its policy is another.
template <typename Worker, contracts::LocalQueue Local>
class StealingWorker : public PoolWorker<Worker>, private fibers::ForkQueue::IScheduler {
  using Base = PoolWorker<Worker>;

 public:
  using Base::metrics;

  // ---- Submitting: by a task of this worker ----

  void Submit(TaskBase* task, SchedulerHint hint) noexcept {
    Base::Submitted(task, hint);
    switch (hint) {
      case SchedulerHint::UpToYou:
        if (task->kind == executors::TaskKind::kSuspendedFiber && ResumesToSlot()) {
          PushNext(task);
        } else {
          PushAndNotify(task);
        }
        break;
      case SchedulerHint::Next:
        metrics.submits_next.Add();
        PushNext(task);
        break;
      case SchedulerHint::Yield:
        metrics.submits_yield.Add();
        Self().PushYielded(task);
        Base::Notify();
        break;
    }
  }

  void SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept {
    if (hint == SchedulerHint::Next) {
      // Each task displaces the one before it.
      while (TaskBase* const task = tasks.TryPopFront()) {
        Submit(task, hint);
      }
      return;
    }
    const std::size_t count = tasks.Size();
    if (count == 0) {
      return;
    }
    while (TaskBase* const task = tasks.TryPopFront()) {
      Base::Submitted(task, hint);
      if (hint == SchedulerHint::Yield) {
        metrics.submits_yield.Add();
        Self().PushYielded(task);
      } else {
        PushToLocalQueue(task);
      }
    }
    Base::NotifyMany(count);
  }

  // ---- Picking: by the run loop ----

  // Polls the global queue at each global_poll_period-th pick, then tries the LIFO slot, then the
  // queues. Null: no task is at hand, or a recheck was requested.
  TaskBase* TryPickTask() noexcept final {
    TaskBase* task = nullptr;
    OnFiberLeaves();
    if (poll_.IsDue()) [[unlikely]] {
      if (Base::RecheckRequested()) {
        poll_.Defer();
        return nullptr;
      }
      metrics.global_polls.Add();
      Base::TraceQueueLengths();
      Base::LookAtNetIfDue();
      Base::RunTimersIfAny();
      // Every second poll first takes a fiber that only this thread may resume.
      polls_pinned_ = !polls_pinned_;
      task = polls_pinned_ ? Base::TryPickPinned() : nullptr;
      if (task == nullptr) {
        task = Self().TryPollGlobalQueue();
      }
      metrics.global_poll_hits.Add(task != nullptr ? 1 : 0);
      poll_.Polled(task != nullptr);
    }
    if (task == nullptr) {
      task = TryPickTaskFromLifoSlot();
    }
    if (task == nullptr) {
      task = Self().TryPickTaskFromQueues();
    }
    if (task == nullptr) {
      task = Base::TryPickPinned();
    }
    return Base::Picked(task);
  }

  TaskBase* TryPollGlobalQueue() noexcept {
    TaskBase* const task = pool_.Global().TryPop();
    if (task != nullptr) {
      Base::OnGrab(1);
    }
    return task;
  }

  TaskBase* TryGrabTasksFromGlobalQueue() noexcept {
    const std::size_t count = pool_.Global().Grab({batch_.data(), global_grab_.most},
                                                  global_grab_.Sharers(pool_.ActiveWorkers()));
    if (count == 0) {
      return nullptr;
    }
    Base::OnGrab(count);
    return EnqueueBatch({batch_.data(), count});
  }

  TaskBase* TryStealTasks() noexcept {
    if (TaskBase* const task = TryTakeStuckTask()) {
      return task;
    }
    victims_.BeginSweep();
    for (std::uint32_t i = 0; i < victims_.Others(); ++i) {
      const std::uint32_t victim = victims_.Next();
      metrics.steal_attempts.Add();
      const std::size_t stolen =
          Self().GrabFrom(*pool_.Workers()[victim], {batch_.data(), steal_batch_});
      if (stolen > 0) {
        victims_.RecordSuccess();
        Base::OnSteal(victim, stolen);
        return EnqueueBatch({batch_.data(), stolen});
      }
    }
    return nullptr;
  }

  // Steals tasks from one worker. Returns how many.
  std::size_t GrabFrom(Worker& victim, std::span<TaskBase*> out) noexcept {
    std::size_t stolen = 0;
    VisitQueues(victim, [&](std::string_view, auto& queue) {
      if (stolen == 0) {
        stolen = queue.Grab(out);
      }
    });
    return stolen == 0 ? GrabForkedCall(victim, out) : stolen;
  }

  // Takes all tasks out, also those that only this worker could take.
  TaskList HandOffTasks() noexcept {
    TaskList tasks;
    if (TaskBase* const task = lifo_slot_.Take()) {
      tasks.PushBack(task);
    }
    VisitQueues(Self(), [&](std::string_view, auto& queue) {
      while (TaskBase* const task = queue.TryPop()) {
        tasks.PushBack(task);
      }
    });
    return tasks;
  }

  // The watch over slots by idle workers; null if this pool does not have it.
  SlotWatch* Watch() noexcept {
    return slot_is_watched_ && pool_.HandOffs() == nullptr ? &pool_.Watch() : nullptr;
  }

  // Returns whether another thread takes a task that waits for long out of the slot.
  bool SlotIsWatched() const noexcept {
    return slot_is_watched_;
  }

  // Looks for a task in a slot whose worker's running task does not end, for TryTakeStuckTask().
  bool FindStuckTask(SlotWatch& watch) noexcept {
    for (std::uint32_t i = 0; i < pool_.Workers().size(); ++i) {
      Worker& worker = *pool_.Workers()[i];
      if (&worker != this && worker.LookAtSlot(watch)) {
        stuck_ = i;
      }
    }
    return stuck_ != kNone;
  }

  // The monitor calls this. Returns a task that has waited in the slot for long, or null.
  TaskBase* TakeStuckTask(SlotWatch& watch) noexcept {
    return LookAtSlot(watch) ? lifo_slot_.TrySteal(kNoWorker) : nullptr;
  }

  // Called when the worker has found other work: what FindStuckTask() found is outdated soon.
  void ForgetStuckTask() noexcept {
    stuck_ = kNone;
  }

  // Called when the running fiber leaves the worker. What it has forked and not joined leaves the
  // queue: another worker may resume the fiber, and other fibers use the queue in the meantime.
  void OnFiberLeaves() noexcept {
    if (forks_.HasCalls()) [[unlikely]] {
      StartForkedCalls();
    }
  }

  void OnSlept() noexcept {
    poll_.Slept();
  }

  // Queue of the calls that the fibers of this worker fork.
  fibers::ForkQueue* Forks() noexcept {
    return &forks_;
  }

  // ---- Any thread ----

  // Returns whether a task waits in any queue of this worker, or in its slot.
  bool HasTasksAtHand() const noexcept {
    return lifo_slot_.HoldsTask() || TasksToRun() != 0;
  }

  bool HasTasksToSteal() const noexcept {
    bool has_tasks = false;
    VisitQueues(Self(), [&](std::string_view, const auto& queue) {
      has_tasks = has_tasks || !queue.IsEmpty();
    });
    return has_tasks || !forks_.IsEmpty() || (wakes_for_slot_ && !lifo_slot_.IsEmptyForThieves());
  }

  std::size_t TasksToRun() const noexcept {
    std::size_t tasks = forks_.Size();
    VisitQueues(Self(), [&](std::string_view, const auto& queue) { tasks += queue.Size(); });
    return tasks;
  }

  std::vector<QueueDepth> Depths() const {
    std::vector<QueueDepth> depths{{"LIFO slot", lifo_slot_.HoldsTask() ? 1U : 0U},
                                   {"forked calls", forks_.Size()}};
    VisitQueues(Self(), [&](std::string_view name, const auto& queue) {
      depths.push_back({name, queue.Size()});
    });
    return depths;
  }

 protected:
  using Base::pool_;

  // `index`, `workers`, `seed`: see PoolWorker. `capacity`: that of the local queue.
  StealingWorker(typename Base::Pool& pool, std::uint32_t index, std::uint32_t workers,
                 std::uint64_t seed, std::uint32_t capacity, const StealingOptions& options)
      : Base(pool, index, workers, DeriveSeed(seed, 0)),
        lifo_slot_(options.lifo_limit, options.slot_is_open_to_thieves),
        poll_(options.global_poll_period),
        resumes_to_slot_(options.resumes_to_slot),
        wakes_for_slot_(options.slot_wakes_thieves),
        slot_is_watched_(options.slot_is_watched),
        overflow_(options.overflow),
        global_grab_(options.global_grab),
        batch_(options.max_batch),
        steal_batch_(options.steal_batch),
        victims_(options.victim, index, workers, DeriveSeed(seed, 1)),
        forks_(pool, *this,
               {.word = &pool.Coordination().State(),
                .mask = workers == 1 ? 0 : pool.Coordination().IdleMask()},
               std::bit_ceil(capacity)),
        local_queue_(capacity, SharingOf(workers)) {
    static_assert(contracts::StealingPolicies<Worker>,
                  "the worker lacks what the notes below name");
  }

  ~StealingWorker() = default;

  static Sharing SharingOf(std::uint32_t workers) noexcept {
    return workers == 1 ? Sharing::kOwnerOnly : Sharing::kStealable;
  }

  void PushAndNotify(TaskBase* task) noexcept {
    PushToLocalQueue(task);
    Base::Notify();
  }

  // The caller notifies.
  void PushToLocalQueue(TaskBase* task) noexcept {
    if (!local_queue_.TryPush(task)) [[unlikely]] {
      OffloadTasksToGlobalQueue(local_queue_, task);
    }
  }

  // Moves tasks to the global queue. `full`: a queue of this worker that did not take `overflow`.
  template <typename Queue>
  void OffloadTasksToGlobalQueue(Queue& full, TaskBase* overflow) noexcept {
    const std::span<TaskBase*> half(batch_.data(), std::min(full.Capacity() / 2, batch_.size()));
    std::size_t count = 0;
    if (overflow_ != Overflow::kOne) {
      count = TakeHalf(full, half);
      // Thieves may have made room. If a thief keeps the queue busy, the new task goes alone.
      if (count == 0 && full.TryPush(overflow)) {
        return;
      }
    }
    AppendToGlobalQueue(half.first(count), overflow);
  }

  TaskBase* TryPickTaskFromLocalQueue() noexcept {
    lifo_slot_.EndStreak();
    TaskBase* const task = local_queue_.TryPop();
    if (task != nullptr) {
      metrics.from_local.Add();
      if constexpr (requires { local_queue_.PeekNext(); }) {
        fibers::FiberStack::Prefetch(local_queue_.PeekNext());
      }
    }
    return task;
  }

  // Returns the batch's first task. The others go to the local queue or, if full, the global queue.
  TaskBase* EnqueueBatch(std::span<TaskBase*> batch) noexcept {
    if (batch.size() > 1) {
      const std::span<TaskBase*> others = batch.subspan(1);
      const std::size_t pushed = local_queue_.PushMany(others);
      if (pushed < others.size()) [[unlikely]] {
        AppendToGlobalQueue(others.subspan(pushed), nullptr);
      }
      Base::NotifyOfMoreTasks();
    }
    return batch.front();
  }

  // Takes the task that FindStuckTask() has found, or null.
  TaskBase* TryTakeStuckTask() noexcept {
    if (stuck_ == kNone) [[likely]] {
      return nullptr;
    }
    return TryStealFromSlot(std::exchange(stuck_, kNone));
  }

  TaskBase* TryStealFromSlot(std::uint32_t victim) noexcept {
    metrics.steal_attempts.Add();
    TaskBase* const task = pool_.Workers()[victim]->lifo_slot_.TrySteal(Base::index_);
    if (task != nullptr) {
      metrics.lifo_stolen.Add();
      Base::OnSteal(victim, 1);
    }
    return task;
  }

  // Makes a fiber of the oldest call that a fiber of the victim has forked. Returns 1; 0: no call.
  std::size_t GrabForkedCall(Worker& victim, std::span<TaskBase*> out) noexcept {
    bool announced = false;
    fibers::ForkedCall* const call =
        victim.forks_.TrySteal([this] { Base::Announce(); }, announced);
    if (call == nullptr) {
      if (announced) {
        Base::TakeBack();
      }
      return 0;
    }
    TaskBase* const task = call->MakeFiber(pool_);
    fibers::TraceReady(Base::Tracing(), *task, SchedulerHint::UpToYou);
    out.front() = task;
    return 1;
  }

 private:
  Worker& Self() noexcept {
    return static_cast<Worker&>(*this);
  }
  const Worker& Self() const noexcept {
    return static_cast<const Worker&>(*this);
  }

  // The watcher calls this. True: a task waits in the slot and the running task does not end.
  bool LookAtSlot(SlotWatch& watch) noexcept {
    switch (watch.Look(Base::index_, lifo_slot_.HoldsTask(), metrics.tasks_run.Get())) {
      case SlotWatch::Finding::kStuck:
        return true;
      case SlotWatch::Finding::kCrowded:
        lifo_slot_.Bypass();
        return false;
      case SlotWatch::Finding::kFine:
        return false;
    }
    return false;
  }

  // ---- ForkQueue::IScheduler ----

  void OnFirstFork() noexcept final {
    if (!Base::alone_) {
      pool_.BeginForks();
    }
  }

  void OnForkWhileIdle() noexcept final {
    Base::Notify();
  }

  SB_NOINLINE void StartForkedCalls() noexcept {
    while (fibers::ForkedCall* const call = forks_.TakeOldest()) {
      Submit(call->MakeFiber(pool_), SchedulerHint::UpToYou);
    }
  }

  // Calls visit(name, queue) for each queue that thieves may take from, the local queue first.
  template <typename AnyWorker, typename Visit>
  static void VisitQueues(AnyWorker& worker, Visit visit) {
    visit("local queue", worker.local_queue_);
    Worker::VisitMoreQueues(worker, visit);
  }

  // Returns whether a fiber that the running task resumes goes to the slot.
  SB_ALWAYS_INLINE bool ResumesToSlot() noexcept {
    if (!resumes_to_slot_) {
      return false;
    }
    if (slot_is_watched_ && lifo_slot_.MustBypass()) [[unlikely]] {
      metrics.lifo_bypassed.Add();
      return false;
    }
    return true;
  }

  // Handles the hint Next: the task goes to the slot, and the task that was there to the local
  // queue. Without a slot the task goes to the local queue.
  void PushNext(TaskBase* task) noexcept {
    if (!lifo_slot_.Exists()) {
      PushAndNotify(task);
      return;
    }
    // A task that only its own worker can take wakes no other worker.
    if (TaskBase* const displaced = lifo_slot_.Put(task)) {
      metrics.lifo_displaced.Add();
      PushAndNotify(displaced);
    } else if (wakes_for_slot_ || (slot_is_watched_ && pool_.Watch().MustNotify())) {
      Base::Notify();
    }
  }

  TaskBase* TryPickTaskFromLifoSlot() noexcept {
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

  template <typename Queue>
  std::size_t TakeHalf(Queue& full, std::span<TaskBase*> out) noexcept {
    if constexpr (requires { full.TryTakeNewerHalf(out); }) {
      if (overflow_ == Overflow::kHalf) {
        return full.TryTakeNewerHalf(out) ? out.size() : 0;
      }
    }
    return full.Grab(out);
  }

  // `last`: one more task, or null.
  void AppendToGlobalQueue(std::span<TaskBase* const> tasks, TaskBase* last) noexcept {
    TaskList offloaded;
    for (TaskBase* const task : tasks) {
      offloaded.PushBack(task);
    }
    if (last != nullptr) {
      offloaded.PushBack(last);
    }
    Base::OnOffload(offloaded.Size());
    pool_.Global().Append(std::move(offloaded));
  }

 protected:
  // ---- Owner only, at each task ----
  LifoSlot lifo_slot_;

 private:
  PollCountdown poll_;
  bool polls_pinned_ = false;
  const bool resumes_to_slot_;
  const bool wakes_for_slot_;
  const bool slot_is_watched_;
  const Overflow overflow_;
  const GlobalGrab global_grab_;

 protected:
  std::vector<TaskBase*> batch_;  // tasks on their way from one queue to another
  const std::size_t steal_batch_;
  VictimOrder victims_;

 private:
  static constexpr std::uint32_t kNone = ~0U;
  static constexpr std::uint32_t kNoWorker = kMaxWorkers;  // a thief that is not a worker
  std::uint32_t stuck_ = kNone;  // the worker in whose slot a task waits for long

 protected:
  // ---- Written by the owner, read by others ----
  alignas(kCacheLine) fibers::ForkQueue forks_;
  alignas(kCacheLine) Local local_queue_;
};

}  // namespace schedbench::schedulers
