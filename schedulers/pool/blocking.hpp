#pragma once

#include "fibers/core/fiber_thread.hpp"
#include "fibers/fork/fork_queue.hpp"
#include "fibers/sync/select.hpp"
#include "schedulers/pool/hand_off.hpp"
#include "schedulers/pool/pool_worker.hpp"

#include <utility>

// How a worker changes its thread. ../machines/README.md, "The protocol", has the protocol.
namespace schedbench::schedulers {

template <typename Worker>
void PoolWorker<Worker>::Attach(Machine& machine) noexcept {
  machine_ = &machine;
  thread_number_.Store(machine.Thread(), memory_order_relaxed);  // relaxed: see ThreadNumber()
  CurrentWorker::Set(&Self());
  fibers::ForkQueue* const forks = Self().Forks();
  if (forks != nullptr) {
    forks->Detach();
  }
  fibers::ForkQueue::SetCurrent(forks);
  fibers::TimerQueue::SetCurrent(&timers_);
}

template <typename Worker>
void PoolWorker<Worker>::Detach() noexcept {
  CurrentWorker::Set(nullptr);
  fibers::ForkQueue::SetCurrent(nullptr);
  fibers::TimerQueue::SetCurrent(nullptr);
}

template <typename Worker>
void PoolWorker<Worker>::Serve(Machine& machine) noexcept {
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

template <typename Worker>
executors::ITaskSource* PoolWorker<Worker>::BeginBlocking(
    [[maybe_unused]] executors::BlockingCall call) noexcept {
  if constexpr (Worker::kMayHandOff) {
    HandOff<Worker>* const hand_off = pool_.HandOffs();
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

template <typename Worker>
executors::ITaskSource* PoolWorker<Worker>::LeaveThread(executors::BlockingCall call) noexcept {
  Self().OnFiberLeaves();
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
template <typename Worker>
void PoolWorker<Worker>::LeaveToOthers() noexcept {
  OnHandOff();
  HandOff<Worker>& hand_off = *pool_.HandOffs();
  if (RecheckRequested() || Self().HasTasksAtHand() || pool_.HasWork()) {
    hand_off.Run(index_);
    return;
  }
  BeginIdle();
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

template <typename Worker>
void PoolWorker<Worker>::SubmitPinned(TaskBase* task) noexcept {
  Submitted(task, SchedulerHint::Yield);
  metrics.submits_yield.Add();
  machine_->pinned.PushBack(task);
}

template <typename Worker>
TaskBase* PoolWorker<Worker>::TryPickPinned() noexcept {
  if constexpr (Worker::kMayHandOff) {
    if (machine_ != nullptr && !machine_->pinned.IsEmpty()) {
      TaskBase* const task = machine_->pinned.TryPopFront();
      if (machine_->pinned.IsEmpty() && deactivates_late_) {
        deactivates_late_ = false;
        RequestRecheck();
      }
      metrics.from_local.Add();
      return task;
    }
  }
  return nullptr;
}

template <typename Worker>
bool PoolWorker<Worker>::LookAtNet() noexcept {
  if constexpr (Worker::kMayHandOff) {
    HandOff<Worker>* const hand_off = pool_.HandOffs();
    return hand_off != nullptr && OnNetPoll(hand_off->LookAtNet());
  }
  return false;
}

template <typename Worker>
void PoolWorker<Worker>::Continue(Machine& machine) noexcept {
  Attach(machine);
}

template <typename Worker>
void PoolWorker<Worker>::ContinueOnVacant(Machine& machine) noexcept {
  Attach(machine);
  is_vacant_ = false;
  EndPark(Coordinator::Slept::kWoken);
  FoundWork();
  EndIdle();
  just_woken_ = false;
}

}  // namespace schedbench::schedulers
