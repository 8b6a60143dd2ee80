#pragma once

#include "fibers/core/suspend.hpp"
#include "fibers/time/sleeper.hpp"

#include <chrono>

namespace schedbench::fibers {

// Suspends the running fiber till `deadline`, not shorter; the thread runs others meanwhile. Goes on at once when it
// has passed. After it the fiber is resumed by the timer service, like any other that becomes ready from outside; its
// executor must be there then, unless it is a scheduler that has ended. A sleeper that nobody waits for does not keep
// the process. Requires: called from a fiber.
inline void SleepUntil(Deadline deadline) noexcept {
  if (deadline.HasPassed()) {
    return;
  }
  Sleeper self(deadline);
  Suspend(
      [&self](FiberHandle fiber) {
        self.Begin(std::move(fiber));
      },
      {.kind = WaitKind::kSleep, .object = nullptr}, self.Handle());
  self.End();
}

// Suspends the running fiber for at least `time`, as SleepUntil() does. Does not suspend for zero
// or a negative time.
inline void SleepFor(std::chrono::nanoseconds time) noexcept {
  SleepUntil(Deadline::In(time));
}

}  // namespace schedbench::fibers
