#pragma once

#include "base/atomic.hpp"
#include "executors/executor.hpp"

#include <cstdint>

namespace schedbench::executors {

// What a worker does while it runs no fiber.
enum class Doing : std::uint8_t {
  kRun,     // tasks that are no fibers, and what lies between two tasks
  kSearch,  // it has no task, and looks for one
  kSteal,   // the same, in what other workers have
  kPark,    // it sleeps, or is on the way to sleep or back
};

// The inside of a worker, as seen by the loop that runs its tasks. Each task that the two Pick methods
// return is run once, and then TaskDone() is called once, after all that the task submitted; or, when a fiber suspends,
// after its part up to there.
// Called only by the thread that the worker belongs to.
class ITaskSource {
 public:
  // `executor`: where tasks of this source are submitted to.
  explicit ITaskSource(IExecutor& executor) noexcept
      : executor_(executor) {
  }

  // Returns a task; blocks until there is one. Null: the worker is to end.
  virtual TaskBase* PickTask() noexcept = 0;

  // Returns a task that is at hand, or null: does not search, let alone block.
  // Called in the middle of a task, which has not ended yet.
  virtual TaskBase* TryPickTask() noexcept = 0;

  // A picked task has run. `ended`: not so a fiber that has suspended, and whose next part is another task.
  virtual void TaskDone(bool ended) noexcept = 0;

  // Of a running task that wants to give way, when TryPickTask() had nothing: whether it may go on. Not so where others wait
  // whom only another thread can run, and that one has to wait for this thread's end.
  virtual bool MayRunAgain() const noexcept {
    return true;
  }

  // The running task wanted to give way, and TryPickTask() had nothing: it goes on. Counts as if it had been
  // submitted and picked again.
  virtual void RunAgain() noexcept = 0;

  // A fiber goes on here that has run on another thread before.
  virtual void Migrated() noexcept {
  }

  const IExecutor& Executor() const noexcept {
    return executor_;
  }

  bool IsOf(const IExecutor& executor) const noexcept {
    return &executor_ == &executor;
  }

  // For a sampler that has interrupted the thread: what SetDoing() was told last. Any thread.
  Doing DoingNow() const noexcept {
    return doing_.Load(memory_order_relaxed);  // relaxed: a word for reports
  }

 protected:
  ~ITaskSource() = default;

  // On the ways to search and to sleep; kRun before the next task.
  void SetDoing(Doing doing) noexcept {
    doing_.Store(doing, memory_order_relaxed);  // relaxed: a word for reports
  }

 private:
  IExecutor& executor_;
  Atomic<Doing> doing_{Doing::kRun};
};

}  // namespace schedbench::executors
