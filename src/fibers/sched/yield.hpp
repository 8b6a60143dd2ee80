#pragma once

#include "fibers/core/fiber_thread.hpp"

namespace schedbench::fibers {

// Lets all other ready fibers of the executor go first, as far as the executor honours the hint Yield.
// Continues at once when there is nothing else to run. Requires: called from a fiber.
inline void Yield() noexcept {
  FiberThread::Yield();
}

}  // namespace schedbench::fibers
