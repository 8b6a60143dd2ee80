#pragma once

#include "executors/executor.hpp"
#include "executors/mutex_inbox.hpp"
#include "executors/stack_inbox.hpp"
#include "executors/strand_metrics.hpp"

#include <cstddef>

namespace schedbench::executors {

struct StrandOptions {
  // After this many tasks, at least 1, the strand returns its worker and queues up again behind
  // others, so a busy strand does not hold a worker forever. 64: a visit (some 100 ns) costs 2 ns
  // per task.
  std::size_t tasks_per_visit = 64;
};

// An asynchronous mutex (the Executors task): it runs its tasks one after the other, on the threads
// of another executor. Tasks of one submitter run in the order of their submits, and so do any two
// submits of which one happens before the other; each task sees all effects of earlier ones. Any
// number of strands may share an executor. Tasks are taken in batches: all waiting ones, in one
// step, and then without synchronisation. More load makes larger batches; nothing waits for a batch
// to fill. An idle strand that gets a task submits itself, one hop. A fiber that suspends on a
// strand leaves it: others run before it is resumed. Code that must not be interleaved must not
// suspend, or must hold a fibers::Mutex.
//
// Lifetime: any thread may call Submit() and Read() while the strand lives. It may be destroyed
// while its tasks wait and run, also by one of them: all submitted tasks still run, in order.
// Nothing may be submitted afterwards: a fiber that was started on it must not resume after a
// suspension or yield. The underlying executor must outlive the last task. README.md has protocol
// and proof.
template <typename Inbox>
class BasicStrand final : public IExecutor {
 public:
  // Makes a strand whose tasks run on `executor`. Allocates the strand's only block of memory.
  explicit BasicStrand(IExecutor& executor, const StrandOptions& options = {});
  ~BasicStrand();

  BasicStrand(const BasicStrand&) = delete;
  BasicStrand& operator=(const BasicStrand&) = delete;

  // Appends `task` to the tasks of the strand. Allocates nothing. The hint of a task that finds the
  // strand idle is passed on; others have no effect. Any thread.
  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;

  // Returns the counts so far. Any thread, while the strand lives.
  StrandReading Read() const noexcept;

 private:
  class State;

  State* const state_;  // outlives the strand if tasks are left
};

using Strand = BasicStrand<StackInbox>;
using MutexStrand = BasicStrand<MutexInbox>;

extern template class BasicStrand<StackInbox>;
extern template class BasicStrand<MutexInbox>;

}  // namespace schedbench::executors
