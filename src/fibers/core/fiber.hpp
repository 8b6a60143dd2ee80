#pragma once

#include "executors/executor.hpp"
#include "fibers/core/fiber_stack.hpp"

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>

namespace schedbench::fibers {

class LocalTable;

// A task that can suspend in the middle and resume later, on any thread. It uses only the executor
// that it was started on. The Fiber object is the task only for the start; from then on it lives on
// a FiberStack, which is the task that resumes it. Its executor owns a ready or running fiber, the
// holder of its FiberHandle a suspended one. It deletes itself when its function returns.
class Fiber : public executors::TaskBase {
 public:
  void Run() noexcept final;

  // Runs the fiber, which has not started, to its end on the stack of the running fiber. `join`:
  // the wait of that fiber, for reports. Requires: ITaskSource::TryTakeBack() has returned true.
  void RunInline(InlineJoin& join) noexcept;

  // Submits the suspended fiber to its executor again.
  void Schedule(executors::SchedulerHint hint) noexcept {
    executor_->Submit(fiber_stack_, hint);
  }

  // Returns the task that resumes the suspended fiber, for a caller that submits several tasks.
  executors::TaskBase* ResumingTask() const noexcept {
    return fiber_stack_;
  }

  // Returns the executor that the fiber was started on and is resumed on. Any thread.
  executors::IExecutor& Executor() const noexcept {
    return *executor_;
  }

  // Returns the name of the fiber, or "".
  std::string_view Name() const noexcept {
    return name_ == nullptr ? std::string_view{} : name_.get();
  }

  // Returns the fiber-local values, which the first call makes. Only the fiber itself calls it.
  LocalTable& Locals();

  // Returns the number of the fiber, which is unique in the process and counts from 1.
  std::uint64_t Id() const noexcept {
    return id_;
  }

  // Returns whether the fiber that joins this one runs it inline. Only the running fiber calls it.
  bool IsInline() const noexcept {
    return fiber_stack_->Join() != nullptr;
  }

  // Returns the source location where the fiber was started.
  std::source_location StartedAt() const noexcept {
    return started_at_;
  }

 protected:
  // `started_at`: the source location by which reports name the fiber.
  Fiber(executors::IExecutor& executor, const std::string& name, std::source_location started_at);

  virtual ~Fiber() = default;

  // Runs the fiber's function. An exception that escapes from it ends the run.
  virtual void Body() = 0;

 private:
  friend struct FiberFacts;  // Reports read the fiber from outside.

  void BeginOn(FiberStack& fiber_stack) noexcept;
  void RunBody() noexcept;
  static void EndLocals(FiberStack& fiber_stack) noexcept;

  executors::IExecutor* const executor_;
  // The stack that the fiber runs or is suspended on; null before the start.
  FiberStack* fiber_stack_ = nullptr;
  const std::uint64_t id_;
  // The name, or null. It ends with 0, so that a report can read it safely.
  const std::unique_ptr<const char[]> name_;
  const std::source_location started_at_;  // one pointer
};

}  // namespace schedbench::fibers
