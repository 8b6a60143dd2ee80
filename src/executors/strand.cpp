#include "executors/strand.hpp"

#include "base/assert.hpp"
#include "base/cache_line.hpp"
#include "executors/scheduler_side.hpp"

namespace schedbench::executors {

// The state of a strand, and the task by which it visits the underlying executor. It belongs to
//   the strand object   while the inbox is idle
//   the visit           while it is busy: from the push that made it so to the return of
//                       TakeAllOrIdle(), through any number of runs on the executor
// and the strand object may still push. Its owner frees it: ~BasicStrand() if it is idle, otherwise
// the visit that meets final_task_, which is the very last task.
template <typename Inbox>
class BasicStrand<Inbox>::State final : public TaskBase {
 public:
  State(IExecutor& executor, std::size_t tasks_per_visit)
      : executor_(executor),
        tasks_per_visit_(tasks_per_visit) {
    SB_ASSERT(tasks_per_visit > 0, "a strand that runs no task in a visit");
  }

  // Adds a task. Any thread. After the push, `this` may be gone if it was busy.
  void Push(TaskBase* task, SchedulerHint hint) noexcept {
    HappensBefore(*task);
    if (PushToInbox(task)) {
      executor_.Submit(this, hint);
    }
  }

  // Ends the use by the strand object, which is being destroyed.
  void Leave() noexcept {
    if (PushToInbox(&final_task_)) {
      // No other thread has a pointer to it. final_task_ does not run.
      const SchedulerSide side;
      delete this;
    }
  }

  // Runs a visit.
  void Run() noexcept override {
    HappensAfter(&queue_);
    SchedulerSide::Enter();
    metrics_.OnVisit();
    for (std::size_t ran = 0;; ++ran) {
      if (queue_.IsEmpty() && !Refill()) {
        break;
      }
      if (ran == tasks_per_visit_) {
        const UserSide user;
        executor_.Submit(this, SchedulerHint::Yield);
        break;
      }
      TaskBase* const task = queue_.TryPopFront();
      if (task == &final_task_) {
        delete this;
        break;
      }
      const UserSide user;
      HappensAfter(*task);
      task->Run();
      HappensBefore(&queue_);
    }
    SchedulerSide::Leave();
  }

  StrandReading Read() const noexcept {
    return metrics_.Read();
  }

 private:
  // A marker in the queue in the form of a task.
  class FinalTask final : public TaskBase {
   public:
    void Run() noexcept override {
    }
  };

  bool PushToInbox(TaskBase* task) noexcept {
    const SchedulerSide side;
    return inbox_.Push(task);
  }

  // Takes a batch for the visit. Returns false without one: the visit then no longer owns `this`.
  bool Refill() noexcept {
    if (!inbox_.TakeAllOrIdle(queue_)) {
      return false;
    }
    metrics_.OnBatch(queue_.Size());
    return true;
  }

  IExecutor& executor_;
  const std::size_t tasks_per_visit_;
  FinalTask final_task_;

  alignas(kCacheLine) Inbox inbox_;  // used by any thread

  // Only the visit uses these.
  alignas(kCacheLine) IntrusiveList<TaskBase> queue_;  // the batch, oldest first
  StrandMetrics metrics_;
};

template <typename Inbox>
BasicStrand<Inbox>::BasicStrand(IExecutor& executor, const StrandOptions& options)
    : state_(new State(executor, options.tasks_per_visit)) {
}

template <typename Inbox>
BasicStrand<Inbox>::~BasicStrand() {
  state_->Leave();
}

template <typename Inbox>
void BasicStrand<Inbox>::Submit(TaskBase* task, SchedulerHint hint) noexcept {
  state_->Push(task, hint);
}

template <typename Inbox>
StrandReading BasicStrand<Inbox>::Read() const noexcept {
  return state_->Read();
}

template class BasicStrand<StackInbox>;
template class BasicStrand<MutexInbox>;

}  // namespace schedbench::executors
