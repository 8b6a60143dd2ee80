#pragma once

#include "base/atomic.hpp"
#include "executors/hint.hpp"
#include "fibers/core/waiting.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Happens once; whoever waits, fiber or thread, goes on from then. Lock-free, allocates nothing.
//
// The one word of state holds kNotFired, kFired, or the address of the newest waiter, which knows the one
// before it. (I1) A waiter is in the list before its stack can be resumed, and Fire() is the only one to
// take it out. (I2) Fire() touches the event for the last time in its exchange: a waiter that goes on may
// destroy the event.
class Event {
 public:
  enum class State : std::uint8_t { kNotFired, kFired };

  explicit Event(State state = State::kNotFired) noexcept;

  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Returns after Fire(), and sees all that was written before it. Suspends a fiber, blocks a thread.
  void Wait() noexcept {
    WaitAs({.kind = WaitKind::kEvent, .object = this});
  }

  // The same for something that is made of an event, under the name that reports on hangs give it.
  void WaitAs(Waiting waiting) noexcept {
    if (!IsFired()) {
      WaitSlow(waiting);
    }
  }

  bool IsFired() const noexcept {
    // acquire: pairs with the exchange in Fire().
    return state_.Load(memory_order_acquire) == kFired;
  }

  // Lets all waiters go on, oldest first. Any thread. Firing again has no effect.
  void Fire(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept;

  // Makes it "not fired" for another use. Requires: nobody waits or fires meanwhile.
  void Reset() noexcept {
    // relaxed: the caller orders this use of the event before the next.
    state_.Store(kNotFired, memory_order_relaxed);
  }

 private:
  struct Waiter;

  static constexpr std::uintptr_t kNotFired = 0;
  static constexpr std::uintptr_t kFired = 1;

  void WaitSlow(Waiting waiting) noexcept;
  bool TryEnqueue(Waiter& waiter) noexcept;

  Atomic<std::uintptr_t> state_;
};

}  // namespace schedbench::fibers
