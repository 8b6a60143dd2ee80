#pragma once

#include "executors/executor.hpp"

namespace schedbench::executors {

// Runs a task at once, inside Submit(), on the submitter's stack. Any thread; tasks of two threads run side by side.
//
// A plain task has run when Submit() returns. One that submits another calls it like a function: how deep that goes is
// the caller's affair, as with any recursion.
//
// A fiber has run up to where it first suspends, and is resumed inside whatever makes it ready. If that ran at once too, a
// fiber that yields would be resumed inside its own Yield, and so on without end. So a task that yields is not nested: while a
// fiber, or a task with the hint Yield, runs here on this thread, others of that sort wait until it suspends or ends; then they
// run, in their order, inside the outermost Submit(). A million yields take one frame.
//
// A plain task that a fiber submits runs as that fiber, and may suspend it: the task ends later then, perhaps on another
// thread. With the hint Yield it must not; asserted where it is seen.
class InlineExecutor final : public IExecutor {
 public:
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;
};

}  // namespace schedbench::executors
