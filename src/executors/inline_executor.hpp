#pragma once

#include "executors/executor.hpp"

namespace schedbench::executors {

// Runs a task at once, inside Submit(), on the submitter's stack. Any thread; tasks of two threads
// run in parallel. A plain task has run when Submit() returns. If it submits another, that is a
// nested call; the caller limits the depth, as with any recursion.
//
// A fiber has run up to its first suspension, and is resumed inside the call that makes it ready.
// If that also held for yields, a yielding fiber would be resumed inside its own Yield, and so on
// without end. So tasks that yield are not nested: while a fiber, or a task with the hint Yield,
// runs here on this thread, others of that kind wait until it suspends or ends. Then they run in
// their order inside the outermost Submit(). A million yields take one frame. A plain task that a
// fiber submits runs as that fiber and may suspend it: the task then ends later, perhaps on another
// thread. With the hint Yield it must not; an assertion checks this where it can.
class InlineExecutor final : public IExecutor {
 public:
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;
};

}  // namespace schedbench::executors
