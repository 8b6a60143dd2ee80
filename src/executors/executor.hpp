#pragma once

#include "base/intrusive_list.hpp"
#include "executors/hint.hpp"
#include "executors/task.hpp"

namespace schedbench::executors {

// Runs each submitted task exactly once, on a thread and at a time of its choice, in any order.
class IExecutor {
 public:
  // Schedules `task` and owns it until it runs. Any thread, also from a running task.
  virtual void Submit(TaskBase* task, SchedulerHint hint) noexcept = 0;

  // Schedules all tasks of a list in its order, like one Submit() each, but cheaper where possible.
  virtual void SubmitAll(IntrusiveList<TaskBase>&& tasks, SchedulerHint hint) noexcept {
    while (TaskBase* const task = tasks.TryPopFront()) {
      Submit(task, hint);
    }
  }

 protected:
  ~IExecutor() = default;
};

}  // namespace schedbench::executors
