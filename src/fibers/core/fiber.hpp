#pragma once

#include "executors/executor.hpp"
#include "fibers/core/continuation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace schedbench::fibers {

// A task that can stop in the middle and go on later, on any thread. It knows nothing of schedulers but the
// executor that it was started on. As a task it only begins; from then on it lives on a Continuation, which
// is the task that resumes it.
//
// While it is ready or running it is owned by its executor; while it is suspended, by whoever got its
// FiberHandle. It deletes itself when its function returns.
class Fiber : public executors::TaskBase {
 public:
  void Run() noexcept final;

  // Submits the suspended fiber to its executor again.
  void Schedule(executors::SchedulerHint hint) noexcept {
    executor_.Submit(continuation_, hint);
  }

  executors::IExecutor& Executor() const noexcept {
    return executor_;
  }

  // The name that it was given, or "".
  std::string_view Name() const noexcept {
    return name_ == nullptr ? std::string_view{} : *name_;
  }

  // Unique in the process, from 1.
  std::uint64_t Id() const noexcept {
    return id_;
  }

 protected:
  Fiber(executors::IExecutor& executor, std::string name);

  virtual ~Fiber() = default;

  // The fiber's function. An exception that it lets escape ends the run.
  virtual void Body() = 0;

 private:
  void RunBody() noexcept;

  executors::IExecutor& executor_;
  // The stack that it runs or is suspended on; null before it begins.
  Continuation* continuation_ = nullptr;
  const std::uint64_t id_;
  const std::unique_ptr<const std::string> name_;
};

}  // namespace schedbench::fibers
