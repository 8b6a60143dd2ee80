#pragma once

#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_thread.hpp"

#include <string_view>

namespace schedbench::fibers {

// The name of the running fiber (FiberOptions), as long as it lives; "" where it has none or no fiber runs. A name is
// for life: reports on hangs and crashes read it at any time.
inline std::string_view CurrentName() noexcept {
  const Fiber* const fiber = FiberThread::CurrentFiber();
  return fiber == nullptr ? std::string_view{} : fiber->Name();
}

}  // namespace schedbench::fibers
