#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::platform {

// A mutual exclusion lock for threads: one word, free to construct. It spins about a microsecond
// before it sleeps in the kernel. Critical sections here take some tens of nanoseconds, so sleeping
// at once would turn each collision into two system calls. States of the word: kFree, kLocked,
// kContended (locked, and a thread may sleep on it). The scheme is "mutex2" of U. Drepper, Futexes
// Are Tricky (2011), section 5.
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Locks the mutex. Returns whether it had to wait.
  SB_ALWAYS_INLINE bool Lock() noexcept {
    if (!TryLock()) [[unlikely]] {
      LockSlow();
      return true;
    }
    return false;
  }

  SB_ALWAYS_INLINE bool TryLock() noexcept {
    std::uint32_t expected = kFree;
    // acquire: pairs with the release in Unlock(); this sees all writes of the former owner.
    // relaxed: a failed try reads nothing that the lock guards.
    return state_.CompareExchange(expected, kLocked, memory_order_acquire, memory_order_relaxed);
  }

  SB_ALWAYS_INLINE void Unlock() noexcept {
    // release: pairs with the acquire in TryLock() and LockSlow().
    if (state_.Exchange(kFree, memory_order_release) == kContended) [[unlikely]] {
      Wake();
    }
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kLocked = 1;
  static constexpr std::uint32_t kContended = 2;

  void LockSlow() noexcept;
  void Wake() noexcept;

  Atomic<std::uint32_t> state_{kFree};
};

// Holds a Mutex from construction to the end of the scope.
class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) noexcept
      : mutex_(mutex),
        waited_(mutex.Lock()) {
  }

  ~MutexLock() {
    mutex_.Unlock();
  }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // Returns whether the mutex was taken when the scope started.
  bool Waited() const noexcept {
    return waited_;
  }

 private:
  Mutex& mutex_;
  const bool waited_;
};

// Blocks threads until a condition that a Mutex guards may have become true. Wait() may return
// without a notification, so callers loop. Notify with or without the mutex.
class ConditionVariable {
 public:
  ConditionVariable() = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  // Releases `mutex` while asleep and holds it again on return. Returns whether another thread had
  // it then. Requires: the caller holds `mutex`.
  bool Wait(Mutex& mutex) noexcept;

  void NotifyOne() noexcept;
  void NotifyAll() noexcept;

 private:
  void Notify(std::uint32_t count) noexcept;

  // Number of notifications. A waiter reads it under the mutex and sleeps only while it is
  // unchanged, so no notification after the waiter's check of its condition is missed. relaxed: the
  // mutex orders that read before a change of the condition; the kernel orders this word itself.
  Atomic<std::uint32_t> notifications_{0};
};

}  // namespace schedbench::platform
