#pragma once

#include "base/atomic.hpp"
#include "schedulers/queues/contracts.hpp"

namespace schedbench::schedulers {

// A lock-free stack that is only taken as a whole (R. K. Treiber, 1986). So it has no ABA problem:
// a push need not know what the head was in between, and no thread follows a link of a task that
// another may have taken. Any thread may call any function.
class TaskStack {
 public:
  void Push(TaskBase* task) noexcept {
    PushChain(task, task);
  }

  // Pushes all tasks of a list, oldest first, in one step.
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
    // relaxed: this read saves the exchange if the stack is empty.
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
  // Requires: the links lead from `newest` to `oldest`.
  void PushChain(TaskBase* newest, TaskBase* oldest) noexcept {
    // relaxed: the exchange checks it; the task is not followed.
    TaskBase* head = newest_.Load(memory_order_relaxed);
    do {
      oldest->next = head;
      // release: pairs with the acquire in TakeAll(). As a read-modify-write it continues the
      // release sequences of the pushes below it. relaxed: on failure we look again.
    } while (
        !newest_.CompareExchangeWeak(head, newest, memory_order_release, memory_order_relaxed));
  }

  Atomic<TaskBase*> newest_{nullptr};
};

}  // namespace schedbench::schedulers
