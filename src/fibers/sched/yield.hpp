#pragma once

#include "fibers/core/fiber_thread.hpp"

namespace schedbench::fibers {

// Lets all other ready fibers of the executor run first, as far as it honours the hint Yield.
// Returns at once when nothing else can run. Requires: called from a fiber.
inline void Yield() noexcept {
  FiberThread::Yield();
}

}  // namespace schedbench::fibers
