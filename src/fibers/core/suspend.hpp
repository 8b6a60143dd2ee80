#pragma once

#include "fibers/core/call_over_switch.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/handle.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// Suspends the running fiber and passes its handle to `then`, which keeps it for the thread that will resume the fiber. `then`
// runs when the fiber is off its stack, on another stack of the same thread: it must neither suspend nor block for long, and
// may unlock what the fiber locked before the call.
// `waiting`: what the fiber waits for, shown by a report on a hang. `handle`: where `then` puts the handle and it stays until
// it is used; with it the report can show whether the fiber has been made ready.
// `reported`: where to store, before `then` runs, the address of what reports read; the holder of the handle may change it as
// long as the fiber is suspended.
// Requires: called from a fiber.
template <std::invocable<FiberHandle> Then>
void Suspend(Then then, Waiting waiting = {.kind = WaitKind::kResume, .object = nullptr},
             const FiberHandle* handle = nullptr, Suspension** reported = nullptr) noexcept {
  static_assert(std::is_trivially_copyable_v<Then>, "capture pointers and numbers only");
  struct Frame : Suspension {
    Then then;
  };
  Frame frame{{.waiting = waiting, .handle = handle, .fiber = nullptr, .frame = nullptr},
              std::move(then)};
  if (reported != nullptr) {
    *reported = &frame;
  }
  constexpr AfterSwitch kThen = [](void* argument, FiberThread& /*fiber_thread*/) {
    const auto* const frame = static_cast<Frame*>(static_cast<Suspension*>(argument));
    // A copy: the frame lies on the stack of the fiber, which `then` may hand to another thread.
    Then then = frame->then;
    then(FiberHandle(*frame->fiber));
  };
  CallOverSwitch(&FiberThread::Suspend, FiberThread::CurrentOrNull(), kThen,
                 static_cast<Suspension*>(&frame));
}

}  // namespace schedbench::fibers
