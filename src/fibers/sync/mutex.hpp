#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/core/handle.hpp"

#include <cstdint>
#include <mutex>
#include <utility>

namespace schedbench::fibers {

// Mutual exclusion of fibers: a fiber that has to wait suspends, its thread goes on. Lock-free, allocates
// nothing, first come first served within a batch.
//
// The word of state holds kFree, kLocked, or the address of the newest waiter (locked then as well), which
// knows the one before it. The owner takes the whole list at once when it unlocks and turns it into a queue
// that only owners touch: waiters are served in batches, with no access to the shared word between them.
//
// (I1) queue_ belongs to the owner of the lock. (I2) Unlock() touches the mutex for the last time before it
// frees it or schedules the next owner: that one may destroy it.
//
// The owner is recorded for reports on hangs, and for nothing else: a plain store in a line that the caller has
// just got hold of. Rejected: an address on the owner's stack. It saves reading the thread's fiber, which costs
// nothing beside the locked instruction; but a fiber that ends with the lock held leaves its stack, and
// the blame, to the next one.
//
// Rejected: hand-over with the hint Next. It would keep the next owner in the LIFO slot of a worker whose
// running fiber may go on for long, with the lock held and nobody able to take the owner over.
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Requires: called from a fiber, which does not own the mutex.
  void Lock() noexcept {
    if (!TryLock()) {
      LockSlow();
    }
  }

  bool TryLock() noexcept {
    std::uintptr_t expected = kFree;
    // acquire: pairs with the release in Unlock().
    // relaxed: a failed try reads nothing that the lock guards.
    if (!state_.CompareExchange(expected, kLocked, memory_order_acquire, memory_order_relaxed)) {
      return false;
    }
    SetOwner(CurrentFiberId());
    return true;
  }

  // Requires: the caller owns the mutex; it need not be the fiber that locked it.
  void Unlock() noexcept {
    std::uintptr_t expected = kLocked;
    // release: pairs with the acquire in TryLock() and LockSlow().
    // relaxed: on failure UnlockSlow() looks again.
    if (queue_.Read() != nullptr ||
        !state_.CompareExchange(expected, kFree, memory_order_release, memory_order_relaxed)) {
      UnlockSlow();
    }
  }

  // The id of the fiber that holds the mutex, as far as can be seen from outside; 0: nobody, or a thread that is no
  // fiber. For reports: `mutex` may be gone. Async-signal-safe.
  static std::uint64_t OwnerOf(const Mutex* mutex) noexcept;

 private:
  friend class CondVar;  // puts suspended fibers into the queue

  // Lies on the stack of the fiber that waits.
  struct Waiter {
    Cell<Waiter*> next;
    FiberHandle fiber;
  };

  static constexpr std::uintptr_t kFree = 0;
  static constexpr std::uintptr_t kLocked = 1;

  void LockSlow() noexcept;
  // Makes a suspended fiber the owner and resumes it, now or when its turn has come. Any thread. The mutex is not touched
  // after the fiber has become owner or can be seen in the queue.
  void Enqueue(Waiter& waiter) noexcept;
  void UnlockSlow() noexcept;

  // By the new owner, or by who hands the lock over to it.
  void SetOwner(std::uint64_t fiber) noexcept {
    // relaxed: for reports, which say what they find.
    owner_.Store(fiber, memory_order_relaxed);
  }

  Atomic<std::uintptr_t> state_{kFree};
  Cell<Waiter*> queue_;             // oldest first
  Atomic<std::uint64_t> owner_{0};  // the last one, where the mutex is free
};

// Holds a Mutex, or does not: for who gives it up and takes it again within a scope. Movable.
class UniqueLock {
 public:
  UniqueLock() = default;

  explicit UniqueLock(Mutex& mutex) noexcept
      : mutex_(&mutex) {
    Lock();
  }

  // Does not lock yet.
  UniqueLock(Mutex& mutex, std::defer_lock_t /*defer*/) noexcept
      : mutex_(&mutex) {
  }

  // Holds it if it was free.
  UniqueLock(Mutex& mutex, std::try_to_lock_t /*try_now*/) noexcept
      : mutex_(&mutex) {
    TryLock();
  }

  // Of a mutex that the caller owns.
  UniqueLock(Mutex& mutex, std::adopt_lock_t /*adopt*/) noexcept
      : mutex_(&mutex),
        owns_(true) {
  }

  ~UniqueLock() {
    if (owns_) {
      mutex_->Unlock();
    }
  }

  UniqueLock(UniqueLock&& other) noexcept
      : mutex_(std::exchange(other.mutex_, nullptr)),
        owns_(std::exchange(other.owns_, false)) {
  }

  UniqueLock& operator=(UniqueLock&& other) noexcept {
    UniqueLock taken(std::move(other));
    std::swap(mutex_, taken.mutex_);
    std::swap(owns_, taken.owns_);
    return *this;
  }

  // Requires: it has a mutex and does not hold it; called from a fiber.
  void Lock() noexcept {
    SB_ASSERT(mutex_ != nullptr && !owns_, "a lock without a mutex, or that holds it already");
    mutex_->Lock();
    owns_ = true;
  }

  // Requires: as Lock(); any thread.
  bool TryLock() noexcept {
    SB_ASSERT(mutex_ != nullptr && !owns_, "a lock without a mutex, or that holds it already");
    owns_ = mutex_->TryLock();
    return owns_;
  }

  // Requires: it holds the mutex.
  void Unlock() noexcept {
    SB_ASSERT(owns_, "the mutex is not held");
    owns_ = false;
    mutex_->Unlock();
  }

  bool OwnsLock() const noexcept {
    return owns_;
  }

  // Null: it has none.
  Mutex* GetMutex() const noexcept {
    return mutex_;
  }

 private:
  Mutex* mutex_ = nullptr;
  bool owns_ = false;
};

// Holds a Mutex from construction to the end of the scope.
class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) noexcept
      : mutex_(mutex) {
    mutex_.Lock();
  }

  ~MutexLock() {
    mutex_.Unlock();
  }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace schedbench::fibers
