#pragma once

#include "executors/executor.hpp"

#include <vector>

namespace schedbench::tests {

// Passes tasks on to another executor and notes with which hints they came. One thread at a time.
class NotingExecutor final : public executors::IExecutor {
 public:
  explicit NotingExecutor(executors::IExecutor& executor)
      : executor_(executor) {
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    hints_.push_back(hint);
    executor_.Submit(task, hint);
  }

  // The hints of all tasks so far.
  const std::vector<executors::SchedulerHint>& Hints() const {
    return hints_;
  }

 private:
  executors::IExecutor& executor_;
  std::vector<executors::SchedulerHint> hints_;
};

}  // namespace schedbench::tests
