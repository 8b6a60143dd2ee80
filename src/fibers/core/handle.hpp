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

  // The right to resume `fiber` once. Requires: suspended, and no other handle of it is valid.
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

  // Whether it has a fiber: neither spent nor moved from.
  bool IsValid() const noexcept {
    return fiber_ != nullptr;
  }

  // The number of the fiber. Requires: valid.
  std::uint64_t Id() const noexcept {
    return fiber_->Id();
  }

  // The executor that the fiber is resumed on. Requires: valid.
  executors::IExecutor& Executor() const noexcept {
    return fiber_->Executor();
  }

  // Returns the task that resumes the fiber, for a caller that submits it to Executor() among others. The handle is spent.
  executors::TaskBase* TakeTask() noexcept {
    return std::exchange(fiber_, nullptr)->ResumingTask();
  }

  // Makes the fiber ready on its executor. The handle is spent.
  void Schedule(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    std::exchange(fiber_, nullptr)->Schedule(hint);
  }

 private:
  Fiber* fiber_ = nullptr;
};

}  // namespace schedbench::fibers
