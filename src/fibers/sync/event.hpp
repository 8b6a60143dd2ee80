#pragma once

#include "base/atomic.hpp"
#include "executors/hint.hpp"
#include "fibers/core/waiting.hpp"
#include "fibers/time/deadline.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::fibers {

// Fires once; waiting fibers and threads continue from then on. Lock-free, allocates nothing. The
// state is one word: kNotFired, kFired, kAbandoned, or the address of the newest waiter, which
// points to the next older one. (I1) A waiter is in the list before its stack can be resumed, and
// only Fire() takes it out, except a waiter with a deadline. (I2) Fire() touches the event for the
// last time in its exchange: a resumed waiter may destroy the event.
//
// Deadlines: a waiter with a deadline enters and leaves the list under a lock, the bit kBusy in the
// same word, because only the newest waiter could leave such a list without a lock. It holds the
// lock during its switch and while it leaves; Fire() and other waiters spin for that time. If no
// waiter has a deadline, everything is lock-free. (I3) Fire() and the timer claim such a waiter's
// Sleeper, and one gets it. If Fire() is too late, it only marks the waiter as passed. If a fiber
// whose deadline passed finds that the list has been taken, it waits for that mark; from then on no
// thread reads the waiter. Its wait reports that the event has fired, which is true.
//
// Rejected: a second list for waiters with deadlines, found by the event's address in a table of
// the process, so that the word needs no lock. Between the exchange and the lookup, the event may
// be destroyed and another one made at its address, whose waiters would be woken.
class Event {
 public:
  enum class State : std::uint8_t { kNotFired, kFired };

  // Starts in `state`. A fired event lets every waiter continue at once.
  explicit Event(State state = State::kNotFired) noexcept;

  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Waits for Fire(), and sees all writes before it. Suspends a fiber, blocks a thread.
  void Wait() noexcept {
    WaitAs({.kind = WaitKind::kEvent, .object = this});
  }

  // Waits like Wait(), for a primitive that uses an event. Reports on hangs show `waiting`.
  void WaitAs(Waiting waiting) noexcept {
    if (!IsFired()) {
      WaitSlow(waiting);
    }
  }

  // Waits at most until `deadline`. Returns whether the event has fired.
  bool WaitUntil(Deadline deadline) noexcept {
    return WaitUntilAs(deadline, {.kind = WaitKind::kEvent, .object = this});
  }

  // Waits at most for `time` from now. Returns whether the event has fired.
  bool WaitFor(std::chrono::nanoseconds time) noexcept {
    return WaitUntil(Deadline::In(time));
  }

  // Waits like WaitUntil(), for a primitive that uses an event. Reports on hangs show `waiting`.
  bool WaitUntilAs(Deadline deadline, Waiting waiting) noexcept {
    return IsFired() || WaitUntilSlow(deadline, waiting);
  }

  // Returns whether the event has fired; then the caller sees all writes before Fire(). Any thread.
  bool IsFired() const noexcept {
    // acquire: pairs with the exchange in Fire().
    return state_.Load(memory_order_acquire) == kFired;
  }

  // Resumes all waiters, oldest first. Idempotent. Returns false if abandoned. Any thread.
  bool Fire(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept;

  // Fires an event that no other thread or fiber uses at the same time.
  void FireAlone() noexcept {
    // relaxed: the caller orders this use of the event before the next.
    state_.Store(kFired, memory_order_relaxed);
  }

  // Leaves the event to the caller of Fire(), which may destroy it. Returns false if it has fired:
  // then the caller may destroy it. Requires: no waiter, and one caller of Fire().
  bool TryAbandon() noexcept {
    std::uintptr_t state = kNotFired;
    // release: pairs with the exchange in Fire(), after which the event's owner may be freed.
    // acquire: pairs with that exchange, for the same reason.
    return state_.CompareExchange(state, kAbandoned, memory_order_release, memory_order_acquire);
  }

  // Resets the event for another use. Requires: no thread or fiber waits or fires at the same time.
  void Reset() noexcept {
    // relaxed: the caller orders this use of the event before the next.
    state_.Store(kNotFired, memory_order_relaxed);
  }

 private:
  struct Waiter;

  static constexpr std::uintptr_t kNotFired = 0;
  static constexpr std::uintptr_t kFired = 1;
  static constexpr std::uintptr_t kBusy = 2;  // a bit added to the address: the list is locked
  static constexpr std::uintptr_t kAbandoned = 4;

  void WaitSlow(Waiting waiting) noexcept;
  bool WaitUntilSlow(Deadline deadline, Waiting waiting) noexcept;
  bool WaitOnThreadUntil(Waiter& waiter, Deadline deadline, Waiting waiting) noexcept;
  bool TryEnqueue(Waiter& waiter) noexcept;
  bool TryLockList(Waiter*& newest) noexcept;
  void UnlockList(Waiter* newest) noexcept;
  bool TryLeave(Waiter& waiter) noexcept;

  Atomic<std::uintptr_t> state_;  // relaxed: an exchange checks what was read
};

}  // namespace schedbench::fibers
