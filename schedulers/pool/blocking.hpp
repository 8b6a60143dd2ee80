#pragma once

#include "fibers/core/fiber_thread.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/sync/select.hpp"
#include "schedulers/pool/hand_off.hpp"
#include "schedulers/pool/worker.hpp"

#include <algorithm>
#include <utility>

// How a worker changes its thread. ../machines/README.md, "The protocol", has the protocol.
namespace schedbench::schedulers {

template <contracts::Policies P>
void Worker<P>::Attach(Machine& machine) noexcept {
  machine_ = &machine;
  thread_number_.Store(machine.Thread(), memory_order_relaxed);
  CurrentWorker::Set(this);
  fibers::ForkQueue* const forks = Forks();
  if (forks != nullptr) {
    forks->Detach();
  }
  fibers::ForkQueue::SetCurrent(forks);
  fibers::TimerQueue::SetCurrent(&timers_);
  fibers::CallBatch::SetCurrent(batches_calls_ ? &calls_to_make_ : nullptr);
}

template <contracts::Policies P>
void Worker<P>::Detach() noexcept {
  CurrentWorker::Set(nullptr);
  fibers::ForkQueue::SetCurrent(nullptr);
  fibers::TimerQueue::SetCurrent(nullptr);
  fibers::CallBatch::SetCurrent(nullptr);
}

template <contracts::Policies P>
void Worker<P>::Serve(Machine& machine) noexcept {
  {
    const executors::SchedulerSide side;
    if (!std::exchange(machine.has_seed, true)) {
      fibers::SeedSelect(select_seed_);
    }
    Attach(machine);
    if (is_vacant_) {
      is_vacant_ = false;
      EndPark(Coordinator::Slept::kWoken);
    }
  }
  fibers::FiberThread::RunLoop(*this, pool_.Stacks());
  // The worker may belong to another thread by now.
  Detach();
}

template <contracts::Policies P>
executors::ITaskSource* Worker<P>::BeginBlocking(
    [[maybe_unused]] executors::BlockingCall call) noexcept {
  if constexpr (P::kHandsOff) {
    HandOff<P>* const hand_off = pool_.HandOffs();
    if (hand_off == nullptr || !hand_off->HandsOff() || !machine_->pinned.IsEmpty()) {
      return nullptr;
    }
    if (call == executors::BlockingCall::kShort || hand_off->TryTakePermit()) {
      return LeaveThread(call);
    }
    {
      const executors::UserSide user;
      hand_off->WaitForPermit();
    }
    // The fiber may run on another worker than before, on a thread that has pinned fibers.
    Worker* const worker = Current();
    if (worker != nullptr && worker->machine_->pinned.IsEmpty()) {
      return worker->LeaveThread(call);
    }
    hand_off->ReturnPermit();
  }
  return nullptr;
}

template <contracts::Policies P>
executors::ITaskSource* Worker<P>::LeaveThread(executors::BlockingCall call) noexcept {
  OnFiberLeaves();
  Machine& machine = *machine_;
  machine.worker = index_;
  OnBlockingCall(call);
  Detach();
  if (call == executors::BlockingCall::kShort) {
    machine.call = Machine::Call::kKeepsWorker;
    // From here on another thread may take over the worker.
    machine.call_number = call_.Begin();
  } else {
    machine.call = Machine::Call::kHandedOff;
    pool_.HandOffs()->BeginCall();
    LeaveToOthers();
  }
  return &machine;
}

// Does what RecheckThenPark() does, for a worker whose thread does not search any more.
template <contracts::Policies P>
void Worker<P>::LeaveToOthers() noexcept {
  OnHandOff();
  HandOff<P>& hand_off = *pool_.HandOffs();
  if (StateCheckRequested() || HasTasksAtHand() || pool_.HasWork()) {
    hand_off.Run(index_);
    return;
  }
  BeginWithoutTask();
  Coordinator& coordinator = pool_.Coordination();
  if (coordinator.AnnouncePark(index_, false).recheck && pool_.HasWork() &&
      coordinator.CancelPark(index_)) {
    searching_ = true;
    metrics.parks_cancelled.Add();
    hand_off.Run(index_);
    return;
  }
  BeginPark();
  if (Vacate() != Coordinator::Slept::kVacant) {
    EndPark(Coordinator::Slept::kWoken);
    hand_off.Run(index_);
  }
}

template <contracts::Policies P>
void Worker<P>::SubmitPinned(TaskBase* task) noexcept {
  Submitted(task, SchedulerHint::Yield);
  metrics.submits_yield.Add();
  machine_->pinned.PushBack(task);
}

template <contracts::Policies P>
TaskBase* Worker<P>::TryPickPinned() noexcept {
  if constexpr (P::kHandsOff) {
    if (machine_ != nullptr && !machine_->pinned.IsEmpty()) {
      TaskBase* const task = machine_->pinned.TryPopFront();
      if (machine_->pinned.IsEmpty() && deactivates_late_) {
        deactivates_late_ = false;
        RequestStateCheck();
      }
      metrics.from_local.Add();
      return task;
    }
  }
  return nullptr;
}

template <contracts::Policies P>
bool Worker<P>::LookAtNet() noexcept {
  if constexpr (P::kHandsOff) {
    HandOff<P>* const hand_off = pool_.HandOffs();
    return hand_off != nullptr && OnNetPoll(hand_off->LookAtNet());
  }
  return false;
}

// Returns whether to poll the network before a search. A steal would move fibers, and so their
// connections, to another CPU; such a poll finds mostly those that the worker's own calls have made
// ready. The limit ensures that tasks of busy workers are stolen, also if each poll finds
// something. A worker that others rely on to search does so.
template <contracts::Policies P>
bool Worker<P>::MayLookAtNetFirst() const noexcept {
  constexpr std::uint32_t kMost = 16;
  return batches_calls_ && !alone_ && !searching_ && looks_before_search_ < kMost;
}

template <contracts::Policies P>
void Worker<P>::Continue(Machine& machine) noexcept {
  Attach(machine);
}

template <contracts::Policies P>
void Worker<P>::ContinueOnVacant(Machine& machine) noexcept {
  Attach(machine);
  is_vacant_ = false;
  EndPark(Coordinator::Slept::kWoken);
  FoundWork();
  EndWithoutTask();
  just_woken_ = false;
}

// Queue of the calls that the fibers of this worker fork; null: each forked call is a fiber.
template <contracts::Policies P>
fibers::ForkQueue* Worker<P>::Forks() noexcept {
  return P::kForks ? &forks_ : nullptr;
}

// Submits fibers whose sockets are ready, if no thread of the pool has polled recently.
template <contracts::Policies P>
SB_ALWAYS_INLINE void Worker<P>::LookAtNetIfDue() noexcept {
  if constexpr (P::kHandsOff) {
    if (HandOff<P>* const hand_off = pool_.HandOffs()) {
      const bool crowded = local_queue_.Size() > local_queue_.Capacity() / 2;
      OnNetPoll(hand_off->LookAtNetIfDue(crowded));
    }
  }
}

// Makes the calls on sockets of this worker's fibers if they have waited long enough.
template <contracts::Policies P>
SB_ALWAYS_INLINE void Worker<P>::MakeCallsIfDue() noexcept {
  if (P::kHandsOff && batches_calls_ && calls_to_make_.IsDue()) [[unlikely]] {
    calls_to_make_.MakeAllOf(calls_to_make_);
  }
}

// Makes them at once. Returns whether there were any, so that their fibers are ready.
template <contracts::Policies P>
bool Worker<P>::MakeCalls() noexcept {
  return P::kHandsOff && batches_calls_ && !calls_to_make_.IsEmpty() &&
         calls_to_make_.MakeAllOf(calls_to_make_) != 0;
}

// A fiber that another executor runs by hand returns to that executor, and not to this worker.
template <contracts::Policies P>
bool Worker<P>::HasOtherTasks() const noexcept {
  return fibers::FiberThread::CurrentOrNull()->Served() != nullptr &&
         (lifo_slot_.HoldsTask() || TasksToRun() != 0);
}

// Makes the calls of the first other worker that has any: a task keeps that worker busy. Returns
// whether there were any. Their fibers become ready on this worker.
template <contracts::Policies P>
bool Worker<P>::MakeCallsOfOthers() noexcept {
  return P::kHandsOff && batches_calls_ &&
         std::ranges::any_of(pool_.Workers(), [this](const auto& other) {
           fibers::CallBatch& batch = other->Batch();
           return !batch.IsEmpty() && calls_to_make_.MakeAllOf(batch) != 0;
         });
}

// Called if a task came before an idle worker left its thread: no thread has woken the monitor.
template <contracts::Policies P>
void Worker<P>::WakeMonitor() noexcept {
  if constexpr (P::kHandsOff) {
    if (HandOff<P>* const hand_off = pool_.HandOffs()) {
      hand_off->WakeMonitor();
    }
  }
}

// Leaves the thread, unless another one has woken the worker in the meantime. kVacant: the caller
// may not touch the worker any more.
template <contracts::Policies P>
Coordinator::Slept Worker<P>::Vacate() noexcept {
  is_vacant_ = true;
  const Coordinator::Slept slept = pool_.Coordination().Vacate(index_);
  if (slept != Coordinator::Slept::kVacant) {
    is_vacant_ = false;
  }
  return slept;
}

}  // namespace schedbench::schedulers
