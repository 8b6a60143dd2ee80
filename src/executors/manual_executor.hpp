#pragma once

#include "base/intrusive_list.hpp"
#include "executors/executor.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <limits>

namespace schedbench::executors {

// A queue of tasks that its owner runs by hand, step by step (document 002). No threads of its own: a task runs inside
// RunNext(), RunAtMost() or Drain(), on the caller's stack; fibers run there as they are.
//
// Strictly first in, first out: no hint is honoured, so that what a program does follows from its code alone, and the
// same program takes the same steps each time. Allocates nothing.
//
// Document 002 has one thread work with it, and one should run the tasks. Submit() may come from any: a fiber that sleeps,
// or waits for one on another executor, is made ready by another thread. Tasks that are left when it is destroyed never run:
// that is asserted.
class ManualExecutor final : public IExecutor {
 public:
  ManualExecutor() = default;
  ~ManualExecutor();

  ManualExecutor(const ManualExecutor&) = delete;
  ManualExecutor& operator=(const ManualExecutor&) = delete;

  // Appends `task` to the queue. Also from a task that it runs.
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;

  // Runs the oldest task. Returns false when there is none.
  bool RunNext() noexcept;

  // Runs tasks, those included that are submitted meanwhile, until `limit` have run or none is left. Returns how many.
  std::size_t RunAtMost(std::size_t limit) noexcept;

  // Runs until none is left, those included that are submitted meanwhile. Returns how many.
  std::size_t Drain() noexcept {
    return RunAtMost(std::numeric_limits<std::size_t>::max());
  }

  // How many tasks are queued.
  std::size_t Size() const noexcept {
    const platform::MutexLock lock(mutex_);
    return tasks_.Size();
  }

  // Whether no task waits. Any thread; another may submit meanwhile.
  bool IsEmpty() const noexcept {
    return Size() == 0;
  }

 private:
  TaskBase* TryPop() noexcept;

  mutable platform::Mutex mutex_;
  IntrusiveList<TaskBase> tasks_;  // guarded by mutex_
};

}  // namespace schedbench::executors
