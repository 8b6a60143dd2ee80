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

// A task that can suspend in the middle and resume later, on any thread. Of schedulers it uses only the executor that it was
// started on. As a task it only begins; from then on it lives on a FiberStack, which is the task that resumes it.
//
// While it is ready or running it is owned by its executor; while it is suspended, by the holder of its FiberHandle. It deletes
// itself when its function returns.
class Fiber : public executors::TaskBase {
 public:
  void Run() noexcept final;

  // Submits the suspended fiber to its executor again.
  void Schedule(executors::SchedulerHint hint) noexcept {
    executor_->Submit(fiber_stack_, hint);
  }

  // The task that resumes the suspended fiber, for a caller that submits it together with others.
  executors::TaskBase* ResumingTask() const noexcept {
    return fiber_stack_;
  }

  // The executor that it was started on and is resumed on. Any thread.
  executors::IExecutor& Executor() const noexcept {
    return *executor_;
  }

  // The name that it was given, or "".
  std::string_view Name() const noexcept {
    return name_ == nullptr ? std::string_view{} : name_.get();
  }

  // The fiber-local values; made at the first call. By the fiber itself.
  LocalTable& Locals();

  // Unique in the process, from 1.
  std::uint64_t Id() const noexcept {
    return id_;
  }

  // The place in the source where it was started.
  std::source_location StartedAt() const noexcept {
    return started_at_;
  }

 protected:
  // `started_at`: the place in the source that reports name the fiber by.
  Fiber(executors::IExecutor& executor, const std::string& name, std::source_location started_at);

  virtual ~Fiber() = default;

  // The fiber's function. An exception that it lets escape ends the run.
  virtual void Body() = 0;

 private:
  friend struct FiberFacts;  // reads it from outside, for reports

  void RunBody() noexcept;
  static void EndLocals(FiberStack& fiber_stack) noexcept;

  executors::IExecutor* const executor_;
  // The stack that it runs or is suspended on; null before it begins.
  FiberStack* fiber_stack_ = nullptr;
  const std::uint64_t id_;
  const std::unique_ptr<const char[]> name_;  // ends with 0, so that a report can read it with care
  const std::source_location started_at_;     // one pointer
};

}  // namespace schedbench::fibers
