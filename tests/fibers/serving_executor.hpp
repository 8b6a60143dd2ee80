#pragma once

#include "executors/scheduler_side.hpp"
#include "executors/task_source.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/stack_pool.hpp"

#include <cstddef>

namespace schedbench::tests {

// A scheduler without threads: the thread that calls RunUntilEmpty() serves as its worker and
// leaves when the queue is empty. First in, first out, except that Next goes to the front. So a
// test runs step by step on the very loop that workers run on. One thread at a time.
class ServingExecutor final : public executors::IExecutor, public executors::ITaskSource {
 public:
  explicit ServingExecutor(fibers::StackPool& pool)
      : ITaskSource(static_cast<executors::IExecutor&>(*this)),
        pool_(pool) {
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    executors::HappensBefore(*task);
    const executors::SchedulerSide side;
    if (hint == executors::SchedulerHint::Next) {
      tasks_.PushFront(task);
    } else {
      tasks_.PushBack(task);
    }
  }

  void RunUntilEmpty() {
    fibers::FiberThread::RunLoop(*this, pool_);
  }

  // Takes the next task out, for a test that runs it itself. Null: none is left.
  executors::TaskBase* TryPop() noexcept {
    return tasks_.TryPopFront();
  }

  // Of an executor with one thread, tests expect that each task happens after all those before it.
  executors::TaskBase* PickTask() noexcept override {
    executors::TaskBase* const task = TryPop();
    const executors::UserSide user;
    const executors::IExecutor& self = *this;
    executors::HappensBefore(self);
    executors::HappensAfter(self);
    if (task != nullptr) {
      executors::HappensBefore(*task);
    }
    return task;
  }

  executors::TaskBase* TryPickTask() noexcept override {
    return PickTask();
  }

  void TaskDone(bool /*ended*/) noexcept override {
    ++tasks_done;
    if (on_task_done != nullptr) {
      on_task_done();
    }
  }

  void RunAgain() noexcept override {
    ++runs_again;
  }

  void (*on_task_done)() = nullptr;
  std::size_t tasks_done = 0;
  std::size_t runs_again = 0;

 private:
  fibers::StackPool& pool_;
  IntrusiveList<executors::TaskBase> tasks_;
};

}  // namespace schedbench::tests
