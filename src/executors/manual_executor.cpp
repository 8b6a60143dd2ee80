#include "executors/manual_executor.hpp"

#include "base/assert.hpp"

namespace schedbench::executors {

ManualExecutor::~ManualExecutor() {
  SB_ASSERT(tasks_.IsEmpty(), "a ManualExecutor is destroyed with tasks that have not run");
}

void ManualExecutor::Submit(TaskBase* task, SchedulerHint /*hint*/) noexcept {
  const platform::MutexLock lock(mutex_);
  tasks_.PushBack(task);
}

TaskBase* ManualExecutor::TryPop() noexcept {
  const platform::MutexLock lock(mutex_);
  return tasks_.TryPopFront();
}

bool ManualExecutor::RunNext() noexcept {
  return RunAtMost(1) == 1;
}

std::size_t ManualExecutor::RunAtMost(std::size_t limit) noexcept {
  std::size_t count = 0;
  while (count < limit) {
    TaskBase* const task = TryPop();
    if (task == nullptr) {
      break;
    }
    task->Run();
    ++count;
  }
  return count;
}

}  // namespace schedbench::executors
