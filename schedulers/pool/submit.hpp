#pragma once

#include "platform/time/clock.hpp"
#include "schedulers/pool/worker.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

// Where a submitted task goes, and which worker is woken for it; how a fiber takes a task back to
// run it inline. A task of this worker calls all this.
namespace schedbench::schedulers {

template <contracts::Policies P>
void Worker<P>::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  Submitted(task, hint);
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
      PushYielded(task);
      Notify();
      break;
  }
}

template <contracts::Policies P>
void Worker<P>::SubmitAll(TaskList&& tasks, SchedulerHint hint) noexcept {
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
    Submitted(task, hint);
    if (hint == SchedulerHint::Yield) {
      metrics.submits_yield.Add();
      PushYielded(task);
    } else {
      PushToLocalQueue(task);
    }
  }
  NotifyMany(count);
}

// Counts a submitted task. Call it before other threads can see the task: WaitIdle relies on it.
template <contracts::Policies P>
SB_ALWAYS_INLINE void Worker<P>::Submitted(TaskBase* task, SchedulerHint hint) noexcept {
  OnSubmit(*task, hint);
  if (P::kMayShareCounter && counter_ != nullptr) [[unlikely]] {
    counter_->Submitted();
  }
}

template <contracts::Policies P>
void Worker<P>::TaskDone(bool ended) noexcept {
  ObservedSource::TaskDone(ended);
  if (P::kMayShareCounter && counter_ != nullptr) [[unlikely]] {
    counter_->Done();
  }
}

// Counts a submit for a task that this worker is about to take from another, and that was not
// counted. Call it before others can miss the task, and UncountStolenCall() if they were faster:
// WaitIdle relies on it.
template <contracts::Policies P>
void Worker<P>::CountStolenCall() noexcept {
  metrics.tasks_submitted.Add();
  metrics.spawned.Add();
  if (P::kMayShareCounter && counter_ != nullptr) [[unlikely]] {
    counter_->Submitted();
  }
}

template <contracts::Policies P>
void Worker<P>::UncountStolenCall() noexcept {
  metrics.tasks_submitted.TakeBack();
  metrics.spawned.TakeBack();
  if (P::kMayShareCounter && counter_ != nullptr) [[unlikely]] {
    counter_->Done();
  }
}

template <contracts::Policies P>
bool Worker<P>::MayRunAgain() const noexcept {
  // Some pick orders reach the global queue only after a search.
  return !StateCheckRequested() && pool_.Global().Counts().IsEmpty();
}

// ---- Wake ----

// Wakes a worker if necessary, after a task was put where others can take it.
template <contracts::Policies P>
SB_ALWAYS_INLINE void Worker<P>::Notify() noexcept {
  if (alone_ && !pool_.NotifiesAll()) {
    return;
  }
  Count(pool_.Notify());
}

// Notify() after `count` tasks were put there.
template <contracts::Policies P>
void Worker<P>::NotifyMany(std::uint64_t count) noexcept {
  if (alone_ && !pool_.NotifiesAll()) {
    return;
  }
  Count(pool_.NotifyMany(count));
}

// Notify() after this worker has found a backlog: two more workers would find tasks.
template <contracts::Policies P>
void Worker<P>::NotifyOfBacklog() noexcept {
  if (alone_ && !pool_.NotifiesAll()) {
    return;
  }
  Count(pool_.NotifyOfBacklog());
}

// Notify() after this worker took several tasks: others can take all but one of them from it.
template <contracts::Policies P>
void Worker<P>::NotifyOfMoreTasks() noexcept {
  // A searching worker notifies in FoundWork().
  if (!searching_) {
    Notify();
  }
}

template <contracts::Policies P>
SB_ALWAYS_INLINE void Worker<P>::Count(Coordinator::Notified notified) noexcept {
  if (notified.woken != 0) {
    metrics.wakes_sent.Add(notified.woken);
  } else if (notified.searched) {
    metrics.notify_skipped_searching.Add();
  } else {
    metrics.notify_skipped_no_idle.Add();
  }
}

// ---- The slot ----

// Handles the hint Next: the task goes to the slot, and the task that was there to the local
// queue. Without a slot the task goes to the local queue.
template <contracts::Policies P>
void Worker<P>::PushNext(TaskBase* task) noexcept {
  if (!P::kHasSlot || !lifo_slot_.Exists()) {
    PushAndNotify(task);
    return;
  }
  // The put wakes a worker only with lifo_steal=wake, or if the watch rests: (P2) does not cover
  // the slot.
  if (TaskBase* const displaced = lifo_slot_.Put(task)) {
    metrics.lifo_displaced.Add();
    PushAndNotify(displaced);
  } else if (options_.slot_wakes_thieves ||
             (options_.slot_is_watched && pool_.Watch().MustNotify())) {
    Notify();
  }
}

// Returns whether a fiber that the running task resumes goes to the slot.
template <contracts::Policies P>
SB_ALWAYS_INLINE bool Worker<P>::ResumesToSlot() noexcept {
  if (!options_.resumes_to_slot) {
    return false;
  }
  if (options_.slot_is_watched && lifo_slot_.MustBypass()) [[unlikely]] {
    metrics.lifo_bypassed.Add();
    return false;
  }
  return true;
}

// ---- The queues ----

// Stores a task that yields. The caller notifies.
template <contracts::Policies P>
void Worker<P>::PushYielded(TaskBase* task) noexcept {
  if constexpr (P::kHasYieldQueue) {
    if (options_.yield_queue_capacity <= 1) {
      pool_.Global().Push(task);
      return;
    }
    if (yield_ticket_ != 0 && yielded_.IsEmpty()) {
      yield_ticket_ = 0;  // the tasks of this ticket were stolen or released
    }
    if (!yielded_.TryPush(task)) [[unlikely]] {
      OffloadTasksToGlobalQueue(yielded_, task);
    }
  } else if constexpr (contracts::OrderedQueue<typename P::LocalQueue>) {
    local_queue_.PushLast(task);
  } else if (options_.yields_to_local) {
    PushToLocalQueue(task);
  } else {
    pool_.Global().Push(task);
  }
}

template <contracts::Policies P>
void Worker<P>::PushAndNotify(TaskBase* task) noexcept {
  PushToLocalQueue(task);
  Notify();
}

// The caller notifies.
template <contracts::Policies P>
void Worker<P>::PushToLocalQueue(TaskBase* task) noexcept {
  if (!local_queue_.TryPush(task)) [[unlikely]] {
    OffloadTasksToGlobalQueue(local_queue_, task);
  }
}

// Moves tasks to the global queue. `full`: a queue of this worker that did not take `overflow`.
template <contracts::Policies P>
template <typename Queue>
void Worker<P>::OffloadTasksToGlobalQueue(Queue& full, TaskBase* overflow) noexcept {
  const std::span<TaskBase*> half(batch_.get(), std::min(full.Capacity() / 2, options_.max_batch));
  std::size_t count = 0;
  if (options_.overflow != Overflow::kOne) {
    bool takes_newer = false;
    if constexpr (requires { full.TryTakeNewerHalf(half); }) {
      takes_newer = options_.overflow == Overflow::kHalf;
      if (takes_newer) {
        count = full.TryTakeNewerHalf(half) ? half.size() : 0;
      }
    }
    if (!takes_newer) {
      count = full.Grab(half);
    }
    // Thieves may have made room. If a thief keeps the queue busy, the new task goes alone.
    if (count == 0 && full.TryPush(overflow)) {
      return;
    }
  }
  AppendToGlobalQueue(half.first(count), overflow);
}

// `last`: one more task, or null.
template <contracts::Policies P>
void Worker<P>::AppendToGlobalQueue(std::span<TaskBase* const> tasks, TaskBase* last) noexcept {
  TaskList offloaded;
  for (TaskBase* const task : tasks) {
    offloaded.PushBack(task);
  }
  if (last != nullptr) {
    offloaded.PushBack(last);
  }
  OnOffload(offloaded.Size());
  pool_.Global().Append(std::move(offloaded));
}

// ---- Inline joins ----

// A fiber that joins another one, which has not started, runs it itself. Such joins do not hold up
// other tasks: the fiber suspends, and the worker picks as usual, if the time slice is over, or if
// a poll of the global queue is due and the last one that was due for a join was some time ago.
template <contracts::Policies P>
bool Worker<P>::TryTakeBack(TaskBase* task) noexcept {
  if constexpr (requires { local_queue_.TryTakeBack(task); }) {
    if (PreemptionRequested() || StateCheckRequested()) [[unlikely]] {
      return false;
    }
    if (poll_.IsDue()) [[unlikely]] {
      // Enough for a thousand short fibers. A suspension among them takes as long as ten of them,
      // and the worker then starts an old one, so that more of them live at the same time.
      constexpr std::uint64_t kInlineNs = 100'000;
      const std::uint64_t now = platform::NowNs();
      if (now - last_due_join_ns_ >= kInlineNs) {
        last_due_join_ns_ = now;
        poll_.Defer();
        return false;
      }
      poll_.Polled(false);
    }
    if (lifo_slot_.TryTakeBack(task)) {
      metrics.from_lifo.Add();
    } else if (local_queue_.TryTakeBack(task)) {
      metrics.from_local.Add();
    } else {
      return false;
    }
    times.OnRun(task->ready_stamp);
    TaskDone(false);  // WaitIdle does not wait for it if the other fiber suspends
    return true;
  }
  return false;
}

template <contracts::Policies P>
void Worker<P>::TaskDoneInline() noexcept {
  times.OnNoTask();  // what follows belongs to the task that continues
  metrics.ended.AddRelease();
}

// ---- Forks ----

// Called when the running fiber leaves the worker. What it has forked and not joined leaves the
// queue: another worker may resume the fiber, and other fibers use the queue in the meantime.
template <contracts::Policies P>
void Worker<P>::OnFiberLeaves() noexcept {
  if (P::kForks && forks_.HasCalls()) [[unlikely]] {
    StartForkedCalls();
  }
}

template <contracts::Policies P>
void Worker<P>::StartForkedCalls() noexcept {
  while (fibers::ForkedCall* const call = forks_.TakeOldest()) {
    Submit(call->MakeFiber(pool_), SchedulerHint::UpToYou);
  }
}

template <contracts::Policies P>
void Worker<P>::OnFirstFork() noexcept {
  if (!alone_) {
    pool_.BeginForks();
  }
}

template <contracts::Policies P>
void Worker<P>::OnForkWhileIdle() noexcept {
  Notify();
}

}  // namespace schedbench::schedulers
