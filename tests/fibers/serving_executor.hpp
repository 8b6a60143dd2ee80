#pragma once

#include "executors/task_source.hpp"
#include "fibers/core/carrier.hpp"
#include "fibers/core/stack_pool.hpp"

#include <cstddef>

namespace schedbench::tests {

// A scheduler without threads: the thread that calls RunUntilEmpty() serves as its worker and leaves when the queue is
// empty. First in, first out, except that Next goes to the front. So a test runs step by step on the very
// loop that workers run on. One thread at a time.
class ServingExecutor final : public executors::IExecutor, public executors::ITaskSource {
 public:
  explicit ServingExecutor(fibers::StackPool& pool)
      : ITaskSource(static_cast<executors::IExecutor&>(*this)),
        pool_(pool) {
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    if (hint == executors::SchedulerHint::Next) {
      tasks_.PushFront(task);
    } else {
      tasks_.PushBack(task);
    }
  }

  void RunUntilEmpty() {
    fibers::Carrier::RunLoop(*this, pool_);
  }

  executors::TaskBase* PickTask() noexcept override {
    return tasks_.TryPopFront();
  }

  executors::TaskBase* TryPickTask() noexcept override {
    return tasks_.TryPopFront();
  }

  void TaskDone() noexcept override {
    ++tasks_done;
  }

  void RunAgain() noexcept override {
    ++runs_again;
  }

  std::size_t tasks_done = 0;
  std::size_t runs_again = 0;

 private:
  fibers::StackPool& pool_;
  IntrusiveList<executors::TaskBase> tasks_;
};

}  // namespace schedbench::tests
