#pragma once

#include "base/atomic.hpp"
#include "executors/hint.hpp"
#include "fibers/core/waiting.hpp"
#include "fibers/time/deadline.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::fibers {

// Fires once; fibers and threads that wait continue from then. Lock-free, allocates nothing.
//
// The one word of state holds kNotFired, kFired, kAbandoned, or the address of the newest waiter, which points to the
// one before it. (I1) A waiter is in the list before its stack can be resumed, and only Fire() takes it out, except a
// waiter with a deadline. (I2) Fire() touches the event for the last time in its exchange: a waiter that has been
// resumed may destroy the event.
//
// Deadlines. A waiter with a deadline enters and leaves the list under a lock, the bit kBusy in the same word: only the
// newest could leave such a list without it. It holds the lock over its switch, and while it leaves. Fire() and other
// waiters spin meanwhile; where no waiter has a deadline all stays lock-free. (I3) Fire() and the timer claim such a
// waiter's Sleeper, and one gets it. If Fire() is too late it only marks the waiter as passed; a fiber whose time ran
// out, and which then finds that the list has been taken, waits for that mark: from then on no thread reads the waiter.
// Its wait reports that the event has fired, which is true.
//
// Rejected: a second list for those with deadlines, found by the event's address in a table of the process, so that the
// word stays free of a lock. Between the exchange and the look into the table the event may be destroyed and another
// made at its address, whose waiters would be woken.
class Event {
 public:
  enum class State : std::uint8_t { kNotFired, kFired };

  // Starts in `state`. A fired event lets every waiter continue at once.
  explicit Event(State state = State::kNotFired) noexcept;

  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Waits for Fire(), and sees all that was written before it. Suspends a fiber, blocks a thread.
  void Wait() noexcept {
    WaitAs({.kind = WaitKind::kEvent, .object = this});
  }

  // Waits as Wait() does, for a primitive that is built on an event: `waiting` is what reports on hangs show.
  void WaitAs(Waiting waiting) noexcept {
    if (!IsFired()) {
      WaitSlow(waiting);
    }
  }

  // Waits until `deadline` at the most. Returns whether the event has fired.
  bool WaitUntil(Deadline deadline) noexcept {
    return WaitUntilAs(deadline, {.kind = WaitKind::kEvent, .object = this});
  }

  // Waits for at most `time` from now. Returns whether the event has fired.
  bool WaitFor(std::chrono::nanoseconds time) noexcept {
    return WaitUntil(Deadline::In(time));
  }

  // Waits as WaitUntil() does, for a primitive that is built on an event: `waiting` is what reports on hangs show.
  bool WaitUntilAs(Deadline deadline, Waiting waiting) noexcept {
    return IsFired() || WaitUntilSlow(deadline, waiting);
  }

  // Whether Wait() would return at once; then the caller sees all that was written before Fire().
  // Any thread.
  bool IsFired() const noexcept {
    // acquire: pairs with the exchange in Fire().
    return state_.Load(memory_order_acquire) == kFired;
  }

  // Resumes all waiters, oldest first. Any thread. Firing again has no effect. Returns false if the event was
  // abandoned.
  bool Fire(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept;

  // From here on only the caller of Fire() uses the event, and may destroy it then. Returns false if it has fired: then
  // the caller may destroy it. Requires: no waiter, and one caller of Fire().
  bool TryAbandon() noexcept {
    std::uintptr_t state = kNotFired;
    // release: pairs with the exchange in Fire(), after which what the event belongs to may be freed. acquire: pairs
    // with that exchange; likewise.
    return state_.CompareExchange(state, kAbandoned, memory_order_release, memory_order_acquire);
  }

  // Makes it "not fired" for another use. Requires: no thread or fiber waits or fires meanwhile.
  void Reset() noexcept {
    // relaxed: the caller orders this use of the event before the next.
    state_.Store(kNotFired, memory_order_relaxed);
  }

 private:
  struct Waiter;

  static constexpr std::uintptr_t kNotFired = 0;
  static constexpr std::uintptr_t kFired = 1;
  static constexpr std::uintptr_t kBusy = 2;  // in an address: the list is locked
  static constexpr std::uintptr_t kAbandoned = 4;

  void WaitSlow(Waiting waiting) noexcept;
  bool WaitUntilSlow(Deadline deadline, Waiting waiting) noexcept;
  bool WaitOnThreadUntil(Waiter& waiter, Deadline deadline, Waiting waiting) noexcept;
  bool TryEnqueue(Waiter& waiter) noexcept;
  bool TryLockList(Waiter*& newest) noexcept;
  void UnlockList(Waiter* newest) noexcept;
  bool TryLeave(Waiter& waiter) noexcept;

  Atomic<std::uintptr_t> state_;
};

}  // namespace schedbench::fibers
