#pragma once

#include "fibers/sync/mutex.hpp"
#include "fibers/sync/waiter.hpp"

#include <chrono>
#include <concepts>

namespace schedbench::fibers {

// Lets fibers wait for a condition that a Mutex guards. A notified fiber does not compete for the
// mutex: it enters the mutex's queue and resumes as owner. So NotifyAll() does not wake all waiters
// at once, and a notification with the mutex held costs one resumption. Notify with or without the
// mutex, from any thread. There are no spurious wake-ups: Wait() returns after a notification for
// this fiber. Other fibers may have changed the condition since, so wait with a predicate.
//
// Invariants under lock_: (I1) a waiter in the list has a valid handle when the lock is free, or an
// expired deadline. (I2) Notify*() touches the CondVar for the last time when it unlocks lock_,
// before a waiter can continue: the last notified fiber may destroy it, and the mutex. (I3) Wait()
// puts the fiber into the list before it unlocks the mutex, so it misses no notification after its
// check.
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Unlocks the mutex, waits for a notification, and locks it again. Requires: called from a fiber
  // that owns it.
  void Wait(Mutex& mutex) noexcept {
    WaitUntil(mutex, Deadline::Never());
  }

  // Waits for a notification, at most until `deadline`. Returns false when that passed first. Owns
  // the mutex on return in any case. Requires: called from a fiber that owns it.
  bool WaitUntil(Mutex& mutex, Deadline deadline) noexcept;

  // Waits at most for `time` from now, otherwise like WaitUntil(mutex, deadline).
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds time) noexcept {
    return WaitUntil(mutex, Deadline::In(time));
  }

  // Waits until `is_true()` returns true. It is called with the mutex held.
  template <std::predicate Condition>
  void Wait(Mutex& mutex, Condition is_true) {
    while (!is_true()) {
      Wait(mutex);
    }
  }

  // Waits until `is_true()`, at most until `deadline`. Returns the last value of `is_true()`.
  template <std::predicate Condition>
  bool WaitUntil(Mutex& mutex, Deadline deadline, Condition is_true) {
    while (!is_true()) {
      if (!WaitUntil(mutex, deadline)) {
        return is_true();
      }
    }
    return true;
  }

  // Waits until `is_true()`, at most for `time` from now. Returns the last value of `is_true()`.
  template <std::predicate Condition>
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds time, Condition is_true) {
    return WaitUntil(mutex, Deadline::In(time), std::move(is_true));
  }

  // Calls Wait() with the mutex of `lock`. Requires: `lock` owns its mutex.
  template <typename... Arguments>
  auto Wait(UniqueLock& lock, Arguments&&... arguments) {
    return Wait(MutexOf(lock), std::forward<Arguments>(arguments)...);
  }

  // Calls WaitUntil() with the mutex of `lock`. Requires: `lock` owns its mutex.
  template <typename... Arguments>
  bool WaitUntil(UniqueLock& lock, Deadline deadline, Arguments&&... arguments) {
    return WaitUntil(MutexOf(lock), deadline, std::forward<Arguments>(arguments)...);
  }

  // Calls WaitFor() with the mutex of `lock`. Requires: `lock` owns its mutex.
  template <typename... Arguments>
  bool WaitFor(UniqueLock& lock, std::chrono::nanoseconds time, Arguments&&... arguments) {
    return WaitFor(MutexOf(lock), time, std::forward<Arguments>(arguments)...);
  }

  // Resumes the fiber that has waited longest, if any.
  void NotifyOne() noexcept;

  // Resumes all fibers that wait now, in the order of their calls.
  void NotifyAll() noexcept;

 private:
  struct Waiting;

  static Mutex& MutexOf(const UniqueLock& lock) noexcept {
    SB_ASSERT(lock.OwnsLock(), "a fiber that waits for a condition holds the mutex that guards it");
    return *lock.GetMutex();
  }

  // Passes a fiber that is out of the list to its mutex.
  static void HandOver(Waiting& waiting) noexcept;

  SpinLock lock_;
  Waiters waiters_;  // guarded by lock_; all are Waiting
};

}  // namespace schedbench::fibers
