#pragma once

#include "executors/executor.hpp"
#include "executors/mutex_inbox.hpp"
#include "executors/stack_inbox.hpp"
#include "executors/strand_metrics.hpp"

#include <cstddef>

namespace schedbench::executors {

struct StrandOptions {
  // After so many tasks the strand gives its worker back and queues up again behind others, so that a busy strand does
  // not hold one forever. At least 1. 64: at that, what a visit costs (some 100 ns) is 2 ns a task.
  std::size_t tasks_per_visit = 64;
};

// An asynchronous mutex (document 002): runs its tasks one after the other, on the threads of another executor. Tasks of
// one submitter run in the order of their submits, and so do any two submits of which one happens before the other; each
// task sees all that those before it did. Any number of strands may share an executor.
//
// Tasks are taken in batches: all that have come, in one step, then without synchronisation between them. More load makes
// larger batches; nothing waits for a batch to fill. A strand that is idle and gets a task submits itself, one hop.
//
// A fiber that suspends on a strand leaves it: others run before it is resumed. What must not be interleaved must not
// suspend, or be guarded by fibers::Mutex.
//
// Lifetime. Submit() and Read() from any thread while the strand lives. It may be destroyed while its tasks wait and run, also
// by one of them: all that was submitted still runs, in order. Nothing may be submitted any more: a fiber that was started on
// it must not resume after it has suspended or yielded. The underlying executor must outlive the last task. README.md has the
// protocol and its proof.
template <typename Inbox>
class BasicStrand final : public IExecutor {
 public:
  // Makes a strand whose tasks run on `executor`. Allocates the strand's only block of memory.
  explicit BasicStrand(IExecutor& executor, const StrandOptions& options = {});
  ~BasicStrand();

  BasicStrand(const BasicStrand&) = delete;
  BasicStrand& operator=(const BasicStrand&) = delete;

  // Appends `task` to the tasks of the strand: it runs after all that were submitted before it. Allocates nothing. Any thread.
  // The hint of the task that finds the strand idle is passed on; others have no effect.
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;

  // Returns what the strand has counted so far. Any thread, while the strand lives.
  StrandReading Read() const noexcept;

 private:
  class State;

  State* const state_;  // outlives the strand where tasks are left
};

using Strand = BasicStrand<StackInbox>;
using MutexStrand = BasicStrand<MutexInbox>;

extern template class BasicStrand<StackInbox>;
extern template class BasicStrand<MutexInbox>;

}  // namespace schedbench::executors
