#pragma once

#include "base/atomic.hpp"
#include "platform/threads/futex.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::platform {

// Lets one thread sleep until another sets the event. Used once.
class ThreadEvent {
 public:
  // Blocks until Set().
  void Wait() noexcept {
    // acquire: pairs with the release in Set().
    while (set_.Load(memory_order_acquire) == 0) {
      FutexWait(set_, 0);
    }
  }

  // Waits with a limit. Returns whether the event is set.
  bool WaitFor(std::chrono::nanoseconds timeout) noexcept {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!IsSet()) {
      // A signal may end a wait early.
      if (!FutexWaitFor(set_, 0, deadline - std::chrono::steady_clock::now())) {
        return IsSet();
      }
    }
    return true;
  }

  bool IsSet() const noexcept {
    // acquire: pairs with the release in Set().
    return set_.Load(memory_order_acquire) != 0;
  }

  // Sets the event, once. The event may be gone as soon as the waiter sees it: only its address is
  // used then. Any thread; safe in a signal handler.
  void Set() noexcept {
    // release: pairs with the acquire in Wait(), WaitFor() and IsSet().
    set_.Store(1, memory_order_release);
    FutexWake(set_, kWakeAll);
  }

 private:
  Atomic<std::uint32_t> set_{0};
};

}  // namespace schedbench::platform
