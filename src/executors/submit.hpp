#pragma once

#include "executors/executor.hpp"

#include <concepts>
#include <utility>

namespace schedbench::executors {

// Schedules a callable: wraps it in a task of its own. The one place in the executors that allocates, once
// per call; everything that brings its own TaskBase is scheduled without allocation.
// The callable must not throw: no caller could catch it.
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

// The name of document 002 for the same.
template <std::invocable F>
void Execute(IExecutor& executor, F callable) {
  Submit(executor, std::move(callable));
}

}  // namespace schedbench::executors
