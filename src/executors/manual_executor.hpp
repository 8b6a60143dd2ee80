#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "executors/executor.hpp"

#include <cstddef>
#include <limits>

namespace schedbench::executors {

// A queue of tasks that its owner runs by hand, step by step (document 002). No threads of its own: a task runs inside
// RunNext(), RunAtMost() or Drain(), on the caller's stack; fibers run there as they are.
//
// Strictly first in, first out: no hint is honoured, so that what a program does follows from its code alone, and the
// same program takes the same steps each time. Allocates nothing.
//
// One thread at a time, as for a container: Submit() too. Threads may take turns where something orders them. Use by
// two at once is asserted where it is seen. Tasks that are left when it is destroyed never run: also asserted.
class ManualExecutor final : public IExecutor {
 public:
  ManualExecutor() = default;
  ~ManualExecutor();

  ManualExecutor(const ManualExecutor&) = delete;
  ManualExecutor& operator=(const ManualExecutor&) = delete;

  // To the end of the queue. Also from a task that it runs.
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
    return tasks_.Size();
  }

  bool IsEmpty() const noexcept {
    return tasks_.IsEmpty();
  }

 private:
  class Use;

  TaskBase* TryPop() noexcept;

  IntrusiveList<TaskBase> tasks_;
  Atomic<bool> in_use_{false};  // a thread is between two instructions of the queue
};

}  // namespace schedbench::executors
