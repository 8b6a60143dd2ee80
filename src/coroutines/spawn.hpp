#pragma once

#include "base/assert.hpp"
#include "coroutines/task.hpp"
#include "executors/executor.hpp"
#include "futures/future.hpp"

#include <utility>

namespace schedbench::coroutines {

// Starts `task` on `executor` and returns a future of its result for a thread, a fiber or another
// coroutine. It allocates once, besides the frame. A dropped future does not stop the coroutine.
template <typename T>
futures::Future<T> Spawn(executors::IExecutor& executor, Task<T> task,
                         executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) {
  class Root final : public futures::State<T>, public executors::TaskBase, private IRoot {
   public:
    Root(executors::IExecutor& executor, Task<T>&& task) noexcept
        : task_(std::move(task)) {
      PromiseBase& promise = task_.Promise();
      SB_ASSERT(promise.awaiting == nullptr && promise.root == nullptr, "a task is spawned once");
      promise.executor = &executor;
      promise.root = this;
    }

    void Run() noexcept override {
      task_.Start();
    }

   private:
    void OnDone() noexcept override {
      futures::Result<T> result = *std::move(task_.Promise().result);
      // The coroutine's variables are destroyed before the result is visible.
      task_.Destroy();
      this->Set(std::move(result));
    }

    Task<T> task_;
  };

  auto* const root = new Root(executor, std::move(task));
  futures::Future<T> future(*root);
  executor.Submit(root, hint);
  return future;
}

}  // namespace schedbench::coroutines
