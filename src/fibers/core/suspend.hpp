#pragma once

#include "fibers/core/call_over_switch.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/handle.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// Suspends the running fiber and passes its handle to `then`, which keeps it for the thread that
// will resume the fiber. `then` runs on another stack of the same thread when the fiber is off its
// stack. It must neither suspend nor block for long; it may unlock what the fiber locked.
// `waiting`: what the fiber waits for, for a report on a hang. `handle`: where `then` stores the
// handle until its use, which shows the report whether the fiber has been made ready. `reported`:
// receives, before `then` runs, the address of the data for reports, which the holder of the handle
// may change while the fiber is suspended. Requires: a fiber calls it.
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
