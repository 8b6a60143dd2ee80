#pragma once

#include "fibers/sync/mutex.hpp"
#include "fibers/sync/waiter.hpp"

#include <chrono>
#include <concepts>

namespace schedbench::fibers {

// Lets fibers wait for a condition that a Mutex guards. A notified fiber is not resumed to compete for the mutex: it is put
// into the mutex's queue, and resumes as its owner when its turn has come. So NotifyAll() wakes no herd, and a notification
// with the mutex held costs one resumption.
//
// There are no spurious wake-ups: Wait() returns after a notification that was for this fiber. Others may still have
// changed the condition before its turn: wait with a predicate. Notify with the mutex held or not, from any thread.
//
// Invariants under lock_: (I1) a waiter in the list has a valid handle when the lock is free, or an expired deadline.
// (I2) Notify*() touches the CondVar for the last time when it unlocks lock_, before a waiter can continue: the last one that
// is notified may destroy it, and the mutex.
// (I3) Wait() puts the fiber into the list before it gives up the mutex: no notification that follows the waiter's
// check of its condition is missed.
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Gives up the mutex, waits for a notification, and owns it again on return. Requires: called from a fiber that owns it.
  void Wait(Mutex& mutex) noexcept {
    WaitUntil(mutex, Deadline::Never());
  }

  // Waits for a notification, until `deadline` at the most. Returns false when that has passed without one. Owns the mutex on
  // return in both cases, however long that takes. Requires: as Wait().
  bool WaitUntil(Mutex& mutex, Deadline deadline) noexcept;

  // Waits for a notification, for at most `time` from now. Returns false when there was none. Requires: as Wait().
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds time) noexcept {
    return WaitUntil(mutex, Deadline::In(time));
  }

  // Waits until `is_true()`, which is called with the mutex held.
  template <std::predicate Condition>
  void Wait(Mutex& mutex, Condition is_true) {
    while (!is_true()) {
      Wait(mutex);
    }
  }

  // Waits until `is_true()`, or until `deadline` at the most. Returns the last value of `is_true()`.
  template <std::predicate Condition>
  bool WaitUntil(Mutex& mutex, Deadline deadline, Condition is_true) {
    while (!is_true()) {
      if (!WaitUntil(mutex, deadline)) {
        return is_true();
      }
    }
    return true;
  }

  // Waits until `is_true()`, for at most `time` from now. Returns the last value of `is_true()`.
  template <std::predicate Condition>
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds time, Condition is_true) {
    return WaitUntil(mutex, Deadline::In(time), std::move(is_true));
  }

  // Waits as Wait() with the mutex of `lock` does. Requires: `lock` owns its mutex.
  template <typename... Arguments>
  auto Wait(UniqueLock& lock, Arguments&&... arguments) {
    return Wait(MutexOf(lock), std::forward<Arguments>(arguments)...);
  }

  // Waits as WaitUntil() with the mutex of `lock` does. Requires: `lock` owns its mutex.
  template <typename... Arguments>
  bool WaitUntil(UniqueLock& lock, Deadline deadline, Arguments&&... arguments) {
    return WaitUntil(MutexOf(lock), deadline, std::forward<Arguments>(arguments)...);
  }

  // Waits as WaitFor() with the mutex of `lock` does. Requires: `lock` owns its mutex.
  template <typename... Arguments>
  bool WaitFor(UniqueLock& lock, std::chrono::nanoseconds time, Arguments&&... arguments) {
    return WaitFor(MutexOf(lock), time, std::forward<Arguments>(arguments)...);
  }

  // Resumes the fiber that has waited longest; no effect without one.
  void NotifyOne() noexcept;

  // Resumes all that wait now, one after the other, in the order of their calls.
  void NotifyAll() noexcept;

 private:
  struct Waiting;

  static Mutex& MutexOf(const UniqueLock& lock) noexcept {
    SB_ASSERT(lock.OwnsLock(), "a fiber that waits for a condition holds the mutex that guards it");
    return *lock.GetMutex();
  }

  // Gives a fiber that is out of the list to its mutex.
  static void HandOver(Waiting& waiting) noexcept;

  SpinLock lock_;
  Waiters waiters_;  // guarded by lock_; all are Waiting
};

}  // namespace schedbench::fibers
