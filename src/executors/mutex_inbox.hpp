#pragma once

#include "base/intrusive_list.hpp"
#include "executors/task.hpp"
#include "platform/threads/mutex.hpp"

#include <utility>

namespace schedbench::executors {

// The same as StackInbox, word for word, by a lock around a list: what the lock-free one is compared with.
class MutexInbox {
 public:
  // Adds `task` as the newest. Any thread. Returns true where the strand was idle: then the caller owes a visit.
  bool Push(TaskBase* task) noexcept {
    const platform::MutexLock lock(mutex_);
    tasks_.PushBack(task);
    return !std::exchange(busy_, true);
  }

  // By the visit. Moves all that waits behind `tasks`. Where nothing waits the strand is idle from then on; returns false,
  // and the visit is over.
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
  // Both guarded by mutex_.
  IntrusiveList<TaskBase> tasks_;
  bool busy_ = false;
};

}  // namespace schedbench::executors
