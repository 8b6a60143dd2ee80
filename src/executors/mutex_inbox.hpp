#pragma once

#include "base/intrusive_list.hpp"
#include "executors/task.hpp"
#include "platform/threads/mutex.hpp"

#include <utility>

namespace schedbench::executors {

// An inbox like StackInbox with a lock around a list, for comparisons with the lock-free one.
class MutexInbox {
 public:
  // Adds a task. Returns true if the strand was idle: the caller owes a visit. Any thread.
  bool Push(TaskBase* task) noexcept {
    const platform::MutexLock lock(mutex_);
    tasks_.PushBack(task);
    return !std::exchange(busy_, true);
  }

  // Moves all waiting tasks behind `tasks`. Without any, the strand becomes idle, and this returns
  // false: the visit is over. Only the visit calls it.
  bool TakeAllOrIdle(IntrusiveList<TaskBase>& tasks) noexcept {
    const platform::MutexLock lock(mutex_);
    if (tasks_.IsEmpty()) {
      busy_ = false;
      return false;
    }
    tasks.Append(std::move(tasks_));
    return true;
  }

 private:
  platform::Mutex mutex_;
  // mutex_ guards both.
  IntrusiveList<TaskBase> tasks_;
  bool busy_ = false;
};

}  // namespace schedbench::executors
