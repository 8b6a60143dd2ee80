#pragma once

#include "base/assert.hpp"
#include "fibers/core/fiber.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::fibers {

// The right, and the duty, to resume one suspended fiber once. Move-only.
class FiberHandle {
 public:
  FiberHandle() = default;

  // Makes a handle. Requires: `fiber` is suspended, and no other handle of it is valid.
  explicit FiberHandle(Fiber& fiber) noexcept
      : fiber_(&fiber) {
  }

  FiberHandle(FiberHandle&& other) noexcept
      : fiber_(std::exchange(other.fiber_, nullptr)) {
  }

  FiberHandle& operator=(FiberHandle&& other) noexcept {
    SB_ASSERT(fiber_ == nullptr, "a suspended fiber would be lost");
    fiber_ = std::exchange(other.fiber_, nullptr);
    return *this;
  }

  // Returns whether the handle holds a fiber: it was neither spent nor moved from.
  bool IsValid() const noexcept {
    return fiber_ != nullptr;
  }

  // Returns the number of the fiber. Requires: valid.
  std::uint64_t Id() const noexcept {
    return fiber_->Id();
  }

  // Returns the executor that the fiber is resumed on. Requires: valid.
  executors::IExecutor& Executor() const noexcept {
    return fiber_->Executor();
  }

  // Spends the handle and returns the task that resumes the fiber, for SubmitAll() of Executor().
  executors::TaskBase* TakeTask() noexcept {
    return std::exchange(fiber_, nullptr)->ResumingTask();
  }

  // Spends the handle and makes the fiber ready on its executor.
  void Schedule(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    std::exchange(fiber_, nullptr)->Schedule(hint);
  }

 private:
  Fiber* fiber_ = nullptr;
};

}  // namespace schedbench::fibers
