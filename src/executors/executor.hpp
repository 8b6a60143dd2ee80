#pragma once

#include "executors/hint.hpp"
#include "executors/task.hpp"

namespace schedbench::executors {

// Runs tasks somewhere, sometime: each submitted task exactly once. Nothing more is promised here.
class IExecutor {
 public:
  // Schedules `task`. Takes it over until it runs. Any thread, also from a running task.
  virtual void Submit(TaskBase* task, SchedulerHint hint) noexcept = 0;

 protected:
  ~IExecutor() = default;
};

}  // namespace schedbench::executors
