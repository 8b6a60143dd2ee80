#pragma once

#include "fibers/core/suspend.hpp"
#include "fibers/time/sleeper.hpp"

#include <chrono>

namespace schedbench::fibers {

// Suspends the running fiber at least until `deadline`; its thread runs other fibers. Returns at
// once if that has passed. At the deadline the timer service resumes the fiber by an external
// submission; its executor must exist then, unless it is a scheduler that has ended. A sleeping
// fiber does not keep the process alive. Requires: called from a fiber.
inline void SleepUntil(Deadline deadline) noexcept {
  if (deadline.HasPassed()) {
    return;
  }
  Sleeper self(deadline);
  Suspend([&self](FiberHandle fiber) { self.Begin(std::move(fiber)); },
          {.kind = WaitKind::kSleep, .object = nullptr}, self.Handle());
  self.End();
}

// Suspends the running fiber for at least `time`, like SleepUntil(). A `time` <= 0 has no effect.
inline void SleepFor(std::chrono::nanoseconds time) noexcept {
  SleepUntil(Deadline::In(time));
}

}  // namespace schedbench::fibers
