#pragma once

#include "schedulers/pool/worker.hpp"

#include <string_view>
#include <utility>

// How a worker becomes inactive: it releases its tasks to the others and stays parked until more
// workers are active. README.md, "Changing the number of workers", has the protocol with (resize)
// and (inactive).
namespace schedbench::schedulers {

template <contracts::Policies P>
void Worker<P>::RequestStateCheck() noexcept {
  // relaxed: after the fence (resize) of SetActive(). The acquire in Deactivate() sees which are
  // active.
  state_check_requested_.Store(true, memory_order_relaxed);
}

// Returns whether the worker must return to PickTask() soon, to be deactivated or to end.
template <contracts::Policies P>
SB_ALWAYS_INLINE bool Worker<P>::StateCheckRequested() const noexcept {
  return state_check_requested_.Load(memory_order_relaxed);
}

// Returns when the worker is active, or ends. False: the worker has left the thread.
template <contracts::Policies P>
bool Worker<P>::Deactivate() noexcept {
  times.OnNoTask();
  // acquire: pairs with (resize) of Coordinator::SetActive(), by the store in RequestStateCheck().
  static_cast<void>(state_check_requested_.Exchange(false, memory_order_acquire));
  Coordinator& coordinator = pool_.Coordination();
  while (!stopping_ && !coordinator.IsActive(index_)) {
    if (machine_ != nullptr && !machine_->pinned.IsEmpty()) {
      deactivates_late_ = true;
      return true;
    }
    ReleaseTasks();
    const auto announced = coordinator.AnnounceInactive(index_, searching_);
    searching_ = false;
    // If it watched the slots, an idle worker is woken, finds nothing, and watches.
    if (SlotWatch* const watch = Watch(); watch != nullptr && watch->IsMissing()) {
      Notify();
    }
    if (coordinator.IsActive(index_)) {
      if (coordinator.CancelInactive(index_)) {
        searching_ = true;
        return true;
      }
    } else if (announced.recheck && pool_.HasWork()) {
      Notify();
    } else if (announced.last && pool_.TryEnd(index_)) {
      End();
      return true;
    }
    if (!Park()) {
      return false;
    }
  }
  return true;
}

// Moves all tasks of this worker to the global queue.
template <contracts::Policies P>
void Worker<P>::ReleaseTasks() noexcept {
  MakeCalls();
  TaskList tasks;
  if (TaskBase* const task = lifo_slot_.Take()) {
    tasks.PushBack(task);
  }
  VisitQueues(*this, [&](std::string_view, auto& queue) {
    while (TaskBase* const task = queue.TryPop()) {
      tasks.PushBack(task);
    }
  });
  if (const std::size_t count = tasks.Size(); count > 0) {
    OnOffload(count);
    pool_.Global().Append(std::move(tasks));
    NotifyMany(count);
  }
}

}  // namespace schedbench::schedulers
