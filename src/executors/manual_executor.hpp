#pragma once

#include "base/intrusive_list.hpp"
#include "executors/executor.hpp"
#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <limits>

namespace schedbench::executors {

// A queue of tasks that its owner runs by hand, step by step (the Executors task). It does not have
// threads: a task runs inside RunNext(), RunAtMost() or Drain(), on the caller's stack; fibers run
// there as they are. It is strictly first in, first out and ignores hints, so the behaviour of a
// program follows from its code alone, and each run takes the same steps. It allocates nothing.
//
// The course uses it with one thread, and one thread should run the tasks. Any thread may call
// Submit(): another thread makes a fiber ready that sleeps or waits for a fiber of another
// executor. It must be empty when it is destroyed, which is asserted.
class ManualExecutor final : public IExecutor {
 public:
  ManualExecutor() = default;
  ~ManualExecutor();

  ManualExecutor(const ManualExecutor&) = delete;
  ManualExecutor& operator=(const ManualExecutor&) = delete;

  // Appends `task` to the queue. A task that it runs may call it too.
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;

  // Runs the oldest task. Returns false if there is none.
  bool RunNext() noexcept;

  // Runs tasks, also ones submitted in between, until `limit` ran or none is left. Returns the
  // count.
  std::size_t RunAtMost(std::size_t limit) noexcept;

  // Runs tasks, also ones submitted in between, until none is left. Returns their number.
  std::size_t Drain() noexcept {
    return RunAtMost(std::numeric_limits<std::size_t>::max());
  }

  // Returns the number of queued tasks.
  std::size_t Size() const noexcept {
    const platform::MutexLock lock(mutex_);
    return tasks_.Size();
  }

  // Returns whether the queue is empty now. Any thread.
  bool IsEmpty() const noexcept {
    return Size() == 0;
  }

 private:
  TaskBase* TryPop() noexcept;

  mutable platform::Mutex mutex_;
  IntrusiveList<TaskBase> tasks_;  // guarded by mutex_
};

}  // namespace schedbench::executors
