#pragma once

#include "executors/executor.hpp"

#include <cstddef>
#include <mutex>
#include <vector>

namespace schedbench::tests {

// Runs its tasks one by one, in the order of their submission, when the test says so. Any thread.
class ManualExecutor final : public executors::IExecutor {
 public:
  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    const std::lock_guard lock(mutex_);
    tasks_.PushBack(task);
    hints_.push_back(hint);
  }

  // Runs the oldest task. Returns false when there is none.
  bool RunNext() {
    executors::TaskBase* task = nullptr;
    {
      const std::lock_guard lock(mutex_);
      task = tasks_.TryPopFront();
    }
    if (task == nullptr) {
      return false;
    }
    task->Run();
    return true;
  }

  // Runs until nothing is left. Returns the number of tasks.
  std::size_t Drain() {
    std::size_t count = 0;
    while (RunNext()) {
      ++count;
    }
    return count;
  }

  std::size_t Size() {
    const std::lock_guard lock(mutex_);
    return tasks_.Size();
  }

  // The hints of all tasks submitted so far.
  std::vector<executors::SchedulerHint> Hints() {
    const std::lock_guard lock(mutex_);
    return hints_;
  }

 private:
  std::mutex mutex_;
  IntrusiveList<executors::TaskBase> tasks_;
  std::vector<executors::SchedulerHint> hints_;
};

}  // namespace schedbench::tests
