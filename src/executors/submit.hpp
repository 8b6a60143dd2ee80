#pragma once

#include "executors/executor.hpp"

#include <concepts>
#include <utility>

namespace schedbench::executors {

// Schedules a callable, which must not throw, in a task of its own. Only this allocates in the
// executors, once per call; code with its own TaskBase is scheduled without allocation.
template <std::invocable F>
void Submit(IExecutor& executor, F callable, SchedulerHint hint = SchedulerHint::UpToYou) {
  class CallableTask final : public TaskBase {
   public:
    explicit CallableTask(F&& callable)
        : callable_(std::move(callable)) {
    }

    void Run() noexcept override {
      callable_();
      delete this;
    }

   private:
    F callable_;
  };

  executor.Submit(new CallableTask(std::move(callable)), hint);
}

// Calls Submit() under the name that the Executors task uses.
template <std::invocable F>
void Execute(IExecutor& executor, F callable) {
  Submit(executor, std::move(callable));
}

}  // namespace schedbench::executors
