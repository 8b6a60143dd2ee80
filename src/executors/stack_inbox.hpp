#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "executors/task.hpp"

#include <cstdint>

namespace schedbench::executors {

// Where tasks of a strand wait until a batch is made of them: a stack that any thread pushes to and the visit takes as a whole.
// Turned around, it is the second of the two stacks that make a queue. Lock-free; allocates nothing.
//
// The one word holds
//   kIdle    nothing waits, and no visit is due
//   kBusy    nothing waits; a visit runs or is submitted, and will recheck
//   a task   the newest one that waits, which points to the one before it; a visit as above
//
// (I1) Idle to busy is the push of a task, and the pushing thread owes one visit. Only the visit changes busy to idle, and only
// from kBusy: a task that waits keeps the strand busy, so that no wake-up is lost. (I2) Between the two there is one visit.
// (I3) After its exchange a push touches neither the task nor the inbox: both may be gone.
//
// An old word that comes back (ABA) does no harm: whatever lay below that task now lies below it still, because nothing is
// ever taken but all.
class StackInbox {
 public:
  // Adds `task` as the newest. Any thread. Returns true where the strand was idle: then the caller owes a visit, and has seen
  // the end of the last.
  bool Push(TaskBase* task) noexcept {
    // relaxed: the exchange below does the ordering.
    std::uintptr_t state = newest_.Load(memory_order_relaxed);
    do {
      task->next = state == kIdle || state == kBusy ? nullptr : reinterpret_cast<TaskBase*>(state);
      // release: pairs with the exchange in TakeAllOrIdle(), which reads the task. acquire: pairs with the release there;
      // a thread that finds the strand idle uses what the last visit used, or frees it.
    } while (!newest_.CompareExchangeWeak(state, reinterpret_cast<std::uintptr_t>(task),
                                          memory_order_acq_rel, memory_order_relaxed));
    return state == kIdle;
  }

  // By the visit. Moves all that waits behind `tasks`, oldest first. Where nothing waits the strand is idle from then on;
  // returns false, and the visit is over.
  bool TakeAllOrIdle(IntrusiveList<TaskBase>& tasks) noexcept {
    std::uintptr_t state = kBusy;
    // relaxed: spares an exchange that would fail.
    // release: pairs with the acquire in Push(); the next visit comes after this one.
    // relaxed: on failure the exchange below takes what has come.
    if (newest_.Load(memory_order_relaxed) == kBusy &&
        newest_.CompareExchange(state, kIdle, memory_order_release, memory_order_relaxed)) {
      return false;
    }
    // acquire: pairs with the release in Push().
    state = newest_.Exchange(kBusy, memory_order_acquire);
    IntrusiveList<TaskBase> batch;
    for (auto* task = reinterpret_cast<TaskBase*>(state); task != nullptr;) {
      TaskBase* const older = task->next;
      batch.PushFront(task);
      task = older;
    }
    tasks.Append(std::move(batch));
    return true;
  }

 private:
  static constexpr std::uintptr_t kIdle = 0;
  static constexpr std::uintptr_t kBusy = 1;

  Atomic<std::uintptr_t> newest_{kIdle};
};

}  // namespace schedbench::executors
