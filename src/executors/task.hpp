#pragma once

#include "base/intrusive_list.hpp"

#include <cstdint>

namespace schedbench::executors {

// Something to run once.
class ITask {
 public:
  // Runs the task. It manages its own lifetime: once Run() has started, only the task may touch it.
  virtual void Run() noexcept = 0;

 protected:
  ~ITask() = default;
};

// The kind of a task, for a loop that can switch stacks.
enum class TaskKind : std::uint8_t {
  kPlain,           // runs to its end on the caller's stack
  kNewFiber,        // may take the loop's stack along
  kSuspendedFiber,  // has a stack of its own, in whose top the task lies
};

// An intrusive task: schedulers queue it by its own fields and allocate nothing. From Submit() to
// the start of Run() the object belongs to the scheduler.
class TaskBase : public ITask, public IntrusiveNode<TaskBase> {
 public:
  // `kind` describes Run(): only parts of fibers are not plain.
  explicit TaskBase(TaskKind kind = TaskKind::kPlain) noexcept
      : kind(kind) {
  }

  TaskBase(const TaskBase&) = delete;
  TaskBase& operator=(const TaskBase&) = delete;

  // The time in ticks at which the task became ready, if it is in the sample of metrics::TaskTimes;
  // otherwise 0. The task's owner owns it.
  std::uint64_t ready_stamp = 0;

  const TaskKind kind;

  // The identity in recorded events: trace::Label, and trace::FiberNumber() or
  // WorkerLog::NextTask(); 0 if unknown. It uses padding. The task's owner owns it.
  std::uint16_t trace_label = 0;
  std::uint32_t trace_number = 0;

 protected:
  ~TaskBase() = default;
};

}  // namespace schedbench::executors
