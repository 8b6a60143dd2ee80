#pragma once

#include "base/intrusive_list.hpp"
#include "executors/task_source.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "tests/sim/explorer/model.hpp"

#include <cstddef>
#include <vector>

namespace schedbench::sim {

// The least scheduler that there can be, for models of what fibers share: one list, one step to put
// a task there and one to take it, so that the steps of the exploration are those of the primitive.
class SmallPool final : public executors::IExecutor {
 public:
  explicit SmallPool(std::size_t threads)
      : idle_limit_(threads) {
    for (std::size_t i = 0; i < threads; ++i) {
      threads_.emplace_back("", [this] {
        Source source(*this);
        fibers::FiberThread::RunLoop(source, stacks_);
      });
    }
  }

  // Runs all there is. A fiber that is still suspended then is an error: its stack is missed.
  ~SmallPool() {
    Finish();
  }

  // The same, earlier: nothing may be submitted from outside any more.
  void Finish() {
    mutex_.Lock();
    stopped_ = true;
    mutex_.Unlock();
    threads_.clear();
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint /*hint*/) noexcept override {
    const platform::MutexLock lock(mutex_);
    tasks_.PushBack(task);
  }

 private:
  class Source final : public executors::ITaskSource {
   public:
    explicit Source(SmallPool& pool)
        : ITaskSource(pool),
          pool_(pool) {
    }

    executors::TaskBase* PickTask() noexcept override {
      return pool_.Take();
    }

    executors::TaskBase* TryPickTask() noexcept override {
      const platform::MutexLock lock(pool_.mutex_);
      return pool_.tasks_.TryPopFront();
    }

    void TaskDone(bool /*ended*/) noexcept override {
    }

    void RunAgain() noexcept override {
    }

   private:
    SmallPool& pool_;
  };

  executors::TaskBase* Take() noexcept {
    mutex_.Lock();
    ++idle_;
    for (;;) {
      executors::TaskBase* const task = tasks_.TryPopFront();
      if (task != nullptr || (stopped_ && idle_ == idle_limit_)) {
        // A worker that leaves stays idle: the others then leave too.
        idle_ -= task != nullptr ? 1 : 0;
        mutex_.Unlock();
        return task;
      }
      mutex_.UnlockAndAwaitUnlock();
      mutex_.Lock();
    }
  }

  fibers::StackPool stacks_{fibers::StackConfig{}};
  platform::Mutex mutex_;
  // All guarded by mutex_.
  IntrusiveList<executors::TaskBase> tasks_;
  std::size_t idle_ = 0;
  bool stopped_ = false;

  const std::size_t idle_limit_;
  std::vector<platform::Thread> threads_;
};

}  // namespace schedbench::sim
