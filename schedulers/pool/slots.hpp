#pragma once

#include "schedulers/pool/slot_watch.hpp"
#include "schedulers/pool/worker.hpp"

#include <algorithm>

// How an idle worker watches the LIFO slots of busy ones. README.md, "The watch over slots", has
// the protocol.
namespace schedbench::schedulers {

// The watch over slots by idle workers; null if this pool does not have it.
template <contracts::Policies P>
SlotWatch* Worker<P>::Watch() noexcept {
  return options_.slot_is_watched && pool_.HandOffs() == nullptr ? &pool_.Watch() : nullptr;
}

// Sleeps. One of the idle workers also watches the slots of those that run.
template <contracts::Policies P>
Coordinator::Slept Worker<P>::SleepAndWatch() noexcept {
  Coordinator& coordinator = pool_.Coordination();
  SlotWatch* const watch = Watch();
  if (watch == nullptr || !coordinator.IsActive(index_)) {
    return coordinator.Park(index_);
  }
  // A watch that rests remains so until a put, or until a worker goes to sleep while others run. To
  // begin and rest costs a heavy fence per sleep.
  bool watching = !(watch->IsResting() && coordinator.AllIdle()) && watch->TryBegin();
  auto slept = Coordinator::Slept::kTimeOut;
  for (auto period = SlotWatch::kFirstPeriod; slept == Coordinator::Slept::kTimeOut;
       period = std::min(2 * period, SlotWatch::kLongestPeriod)) {
    if (watching && coordinator.AllIdle()) {
      watch->Rest();
      watching = !coordinator.AllIdle() && watch->TryBegin();
    }
    slept = coordinator.Park(index_, watching ? period : Coordinator::kNoLimit);
    if (slept == Coordinator::Slept::kTimeOut && FindStuckTask(*watch) &&
        coordinator.CancelPark(index_)) {
      slept = Coordinator::Slept::kWoken;
    }
  }
  if (watching) {
    watch->End();  // FoundWork() wakes the next watcher
  }
  return slept;
}

// Looks for a task in a slot whose worker's running task does not end, for TryStealTasks().
template <contracts::Policies P>
bool Worker<P>::FindStuckTask(SlotWatch& watch) noexcept {
  for (std::uint32_t i = 0; i < pool_.Workers().size(); ++i) {
    Worker& worker = *pool_.Workers()[i];
    if (&worker != this && worker.LookAtSlot(watch)) {
      stuck_ = i;
    }
  }
  return stuck_ != kNone;
}

template <contracts::Policies P>
TaskBase* Worker<P>::TakeStuckTask(SlotWatch& watch) noexcept {
  return LookAtSlot(watch) ? lifo_slot_.TrySteal(kNoWorker) : nullptr;
}

// The watcher calls this. True: a task waits in the slot and the running task does not end.
template <contracts::Policies P>
bool Worker<P>::LookAtSlot(SlotWatch& watch) noexcept {
  switch (watch.Look(index_, lifo_slot_.HoldsTask(), metrics.tasks_run.Get())) {
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

}  // namespace schedbench::schedulers
