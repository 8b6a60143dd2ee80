#pragma once

#include "executors/executor.hpp"
#include "executors/task_source.hpp"
#include "platform/fork.hpp"

namespace schedbench::fibers {

// What the one thread of a child of fork() serves, when the parent's served a scheduler. The forking fiber may go on
// there: compute, exec, leave by _exit(). When it suspends, yields or ends, the process ends with a message: tasks of
// the parent would run twice, and what it waits for may be on threads that do not exist.
class SourceOfParent final : public executors::ITaskSource {
 public:
  SourceOfParent() noexcept
      : ITaskSource(nowhere_) {
  }

  executors::TaskBase* PickTask() noexcept override {
    platform::RefuseInChild();
  }

  executors::TaskBase* TryPickTask() noexcept override {
    platform::RefuseInChild();
  }

  void TaskDone(bool /*ended*/) noexcept override {
    platform::RefuseInChild();
  }

  void RunAgain() noexcept override {
    platform::RefuseInChild();
  }

 private:
  class Nowhere final : public executors::IExecutor {
   public:
    void Submit(executors::TaskBase* /*task*/,
                executors::SchedulerHint /*hint*/) noexcept override {
      platform::RefuseInChild();
    }
  };

  Nowhere nowhere_;
};

}  // namespace schedbench::fibers
