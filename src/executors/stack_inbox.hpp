#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "executors/task.hpp"

#include <cstdint>

namespace schedbench::executors {

// The waiting tasks of a strand, before they become a batch: a stack that any thread pushes to and
// the visit takes as a whole. Reversed, it is the second of the two stacks that make a queue.
// Lock-free; allocates nothing. The one word holds
//   kIdle    nothing waits, and no visit is due
//   kBusy    nothing waits; a visit runs or is submitted, and will recheck
//   a task   the newest waiting one, which points to the next older one; a visit as with kBusy
//
// (I1) The push of a task changes idle to busy, and the pushing thread owes one visit. Only the
// visit changes busy to idle, and only from kBusy: a waiting task keeps the strand busy, so no wake
// is lost. (I2) Between the two there is one visit. (I3) After its exchange a push touches neither
// the task nor the inbox: both may be gone. A word that returns to an old value (ABA) is harmless:
// everything below that task is still below it, because only the whole stack is ever taken.
class StackInbox {
 public:
  // Adds `task` as the newest. Returns true if the strand was idle: then the caller owes a visit,
  // and has seen the end of the last one. Any thread.
  bool Push(TaskBase* task) noexcept {
    // relaxed: the exchange orders.
    std::uintptr_t state = newest_.Load(memory_order_relaxed);
    do {
      task->next = state == kIdle || state == kBusy ? nullptr : reinterpret_cast<TaskBase*>(state);
      // release: pairs with the exchange in TakeAllOrIdle(), which reads the task. acquire: pairs
      // with the release there; a thread that finds the strand idle uses or frees what the last
      // visit used.
    } while (!newest_.CompareExchangeWeak(state, reinterpret_cast<std::uintptr_t>(task),
                                          memory_order_acq_rel, memory_order_relaxed));
    return state == kIdle;
  }

  // Moves all waiting tasks behind `tasks`, oldest first. Without any, the strand becomes idle, and
  // this returns false: the visit is over. Only the visit calls it.
  bool TakeAllOrIdle(IntrusiveList<TaskBase>& tasks) noexcept {
    std::uintptr_t state = kBusy;
    // relaxed: avoids an exchange that would fail. release: pairs with the acquire in Push(); the
    // next visit follows this one. relaxed: on failure the Exchange() takes the new tasks.
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
