#pragma once

#include "base/atomic.hpp"
#include "schedulers/queues/contracts.hpp"

namespace schedbench::schedulers {

// A lock-free stack that is only ever taken as a whole (R. K. Treiber, 1986). So it has no ABA problem: a push does not
// care what the head was in between, and no thread follows a link of a task that another may have taken.
// Any thread may call anything.
class TaskStack {
 public:
  void Push(TaskBase* task) noexcept {
    PushChain(task, task);
  }

  // A list, oldest first: all of it in one step.
  void Push(TaskList&& batch) noexcept {
    TaskBase* newest = nullptr;
    TaskBase* oldest = nullptr;
    while (TaskBase* const task = batch.TryPopFront()) {
      task->next = newest;
      newest = task;
      oldest = oldest == nullptr ? task : oldest;
    }
    if (newest != nullptr) {
      PushChain(newest, oldest);
    }
  }

  // Returns all tasks, in the order in which they were pushed.
  TaskList TakeAll() noexcept {
    TaskList tasks;
    // relaxed: a look that spares the exchange.
    if (newest_.Load(memory_order_relaxed) == nullptr) {
      return tasks;
    }
    // acquire: pairs with the release in PushChain(): the links are ours to read.
    TaskBase* task = newest_.Exchange(nullptr, memory_order_acquire);
    while (task != nullptr) {
      TaskBase* const older = task->next;
      tasks.PushFront(task);
      task = older;
    }
    return tasks;
  }

 private:
  // From `newest` the links lead to `oldest`.
  void PushChain(TaskBase* newest, TaskBase* oldest) noexcept {
    // relaxed: the exchange checks it; the task is not followed.
    TaskBase* head = newest_.Load(memory_order_relaxed);
    do {
      oldest->next = head;
      // release: pairs with the acquire in TakeAll(). As a read-modify-write it continues the release sequences of the
      // pushes below it. relaxed: on failure we look again.
    } while (
        !newest_.CompareExchangeWeak(head, newest, memory_order_release, memory_order_relaxed));
  }

  Atomic<TaskBase*> newest_{nullptr};
};

}  // namespace schedbench::schedulers
