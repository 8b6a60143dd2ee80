#include "executors/inline_executor.hpp"

#include "base/assert.hpp"
#include "base/intrusive_list.hpp"
#include "executors/scheduler_side.hpp"
#include "platform/threads/thread_local_ptr.hpp"

namespace schedbench::executors {

namespace {

// Waiting tasks that yielded on one thread. The list lies in the frame of the outermost Submit(),
// which stays on its thread: below it are hosted fibers, which return the thread at the point where
// they got it, and tasks, which do not suspend.
using Waiting = IntrusiveList<TaskBase>;
using WaitingHere = platform::ThreadLocalPtr<Waiting, class InlineExecutorTag>;

}  // namespace

void InlineExecutor::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  if (task->kind == TaskKind::kPlain && hint != SchedulerHint::Yield) {
    task->Run();
    return;
  }
  HappensBefore(*task);
  Waiting waiting;
  {
    const SchedulerSide side;
    if (Waiting* const outermost = WaitingHere::Get()) {
      outermost->PushBack(task);
      return;
    }
    WaitingHere::Set(&waiting);
  }
  while (task != nullptr) {
    HappensAfter(*task);
    task->Run();
    const SchedulerSide side;
    SB_ASSERT(WaitingHere::Get() == &waiting, "a plain task has suspended the fiber that runs it");
    task = waiting.TryPopFront();
  }
  const SchedulerSide side;
  WaitingHere::Set(nullptr);
}

}  // namespace schedbench::executors
