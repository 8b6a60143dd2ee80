#pragma once

#include "base/intrusive_list.hpp"

#include <cstdint>

namespace schedbench::executors {

// Something to run once.
class ITask {
 public:
  // Runs the task. It manages its own lifetime: after Run() begins, only the task itself may touch it.
  virtual void Run() noexcept = 0;

 protected:
  ~ITask() = default;
};

// Announces to a loop that can switch stacks what it is about to run.
enum class TaskKind : std::uint8_t {
  kPlain,           // runs to its end on the caller's stack
  kNewFiber,        // may take the loop's stack along
  kSuspendedFiber,  // has a stack of its own, in whose top the task lies
};

// An intrusive task: schedulers queue it by its own fields and allocate nothing.
// From Submit() until Run() begins the object belongs to the scheduler.
class TaskBase : public ITask, public IntrusiveNode<TaskBase> {
 public:
  // `kind` says what Run() does: only parts of fibers are not plain.
  explicit TaskBase(TaskKind kind = TaskKind::kPlain) noexcept
      : kind(kind) {
  }

  TaskBase(const TaskBase&) = delete;
  TaskBase& operator=(const TaskBase&) = delete;

  // When the task became ready, in ticks, if it is in the sample of metrics::TaskTimes; else 0.
  // Owned by the owner of the task.
  std::uint64_t ready_stamp = 0;

  const TaskKind kind;

  // Its identity in recordings of events: trace::Label, and trace::FiberNumber() or WorkerLog::NextTask(); 0 where it is not
  // known. In what would be padding. Owned by the owner of the task.
  std::uint16_t trace_label = 0;
  std::uint32_t trace_number = 0;

 protected:
  ~TaskBase() = default;
};

}  // namespace schedbench::executors
