#include "executors/manual_executor.hpp"

#include "base/assert.hpp"

namespace schedbench::executors {

// Sees another thread in the queue, most of the time: no locked instruction, because the promise is the users'.
class ManualExecutor::Use {
 public:
  explicit Use(ManualExecutor& executor) noexcept
      : in_use_(executor.in_use_) {
    // relaxed: orders nothing; who uses the executor in turn is ordered by other means.
    SB_ASSERT(!in_use_.Load(memory_order_relaxed), "two threads use a ManualExecutor at once");
    in_use_.Store(true, memory_order_relaxed);
  }

  ~Use() {
    // relaxed: as above.
    in_use_.Store(false, memory_order_relaxed);
  }

  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Atomic<bool>& in_use_;
};

ManualExecutor::~ManualExecutor() {
  SB_ASSERT(tasks_.IsEmpty(), "a ManualExecutor is destroyed with tasks that have not run");
}

void ManualExecutor::Submit(TaskBase* task, SchedulerHint /*hint*/) noexcept {
  const Use use(*this);
  tasks_.PushBack(task);
}

TaskBase* ManualExecutor::TryPop() noexcept {
  const Use use(*this);
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
