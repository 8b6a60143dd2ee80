#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/core/handle.hpp"

#include <cstdint>
#include <mutex>
#include <utility>

namespace schedbench::fibers {

// Mutual exclusion of fibers: a fiber that has to wait spins for a moment, then suspends, and its thread runs others.
// Lock-free, allocates nothing. README.md has the protocol step by step, the proofs, and what was measured and rejected.
//
// The first fiber that tries gets a freed mutex, mostly one that runs. Of the suspended ones one at a time is woken to try as
// well; if it comes too late, the next Unlock() hands the mutex over to it. So overtaking is bounded: with p others that wait
// before a fiber, it is made ready to run within (p + 1) * max_overtakes sections; from when it runs, others get the mutex only
// while it spins and suspends, and then it is the next.
//
// The word of state holds three bits and the address of the newest waiter, which points to the one before it. The owner takes
// that whole list at once, when it unlocks, and appends it to a queue that only owners touch.
//   kLocked    a fiber owns the mutex, or it is reserved
//   kWoken     one waiter is in neither list nor queue: it has been made ready, and has not tried yet, or spins
//   kReserved  and the mutex is reserved for that waiter
//
// (I1) What is marked so below belongs to the owner of the lock. (I2) Unlock() touches the mutex for the last time
// before or when it frees or reserves it, and before it schedules the next owner: that one may destroy it. (I3) While a waiter
// is in the list or the queue, the mutex is owned or kWoken is set. So Unlock() wakes no other while it is, and none is
// forgotten.
//
// The owner is recorded for reports on hangs, and so that a spinning fiber sees that spinning does not help: a plain store in a cache
// line that the caller has just acquired. Rejected: an address on the owner's stack. It saves reading the thread's fiber, which
// costs nothing beside the locked instruction; but a fiber that ends with the lock held leaves its stack, and
// the blame, to the next one.
class Mutex {
 public:
  // With sections of 100 ns no difference was measured between 64 and a million: the least that costs nothing.
  static constexpr std::uint32_t kMaxOvertakes = 64;

  Mutex() = default;

  // After so many sections while a fiber waits the mutex is reserved for the one that has waited longest. 1: first come, first
  // served, at the price that README.md states.
  explicit Mutex(std::uint32_t max_overtakes) noexcept
      : max_overtakes_(max_overtakes) {
  }

  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Waits until the mutex is free, and makes the calling fiber its owner. Requires: called from a fiber, which does not own
  // the mutex.
  void Lock() noexcept {
    if (!TryLock()) {
      LockSlow();
    }
  }

  // Takes the mutex if it is free, also before fibers that wait. Returns whether it has taken it. Any thread.
  bool TryLock() noexcept {
    std::uintptr_t state = kFree;
    do {
      // acquire: pairs with the release in Unlock() and UnlockSlow().
      // relaxed: a failed try reads nothing that the lock guards.
      if (state_.CompareExchange(state, state | kLocked, memory_order_acquire,
                                 memory_order_relaxed)) {
        SetOwner(CurrentFiberId());
        return true;
      }
    } while ((state & kLocked) == 0);
    return false;
  }

  // Frees the mutex and resumes a fiber that waits, or makes such a fiber the owner. Requires: the caller owns the mutex; it
  // need not be the fiber that locked it.
  void Unlock() noexcept {
    std::uintptr_t expected = kLocked;
    // release: pairs with the acquire in TryLock(), TrySpin() and Enqueue().
    // relaxed: on failure UnlockSlow() looks again.
    if (oldest_.Read() != nullptr ||
        !state_.CompareExchange(expected, kFree, memory_order_release, memory_order_relaxed)) {
      UnlockSlow();
    }
  }

  // The id of the fiber that holds the mutex, as far as another thread can see; 0: none, or a thread that runs no fiber. For
  // reports: `mutex` may be gone. Async-signal-safe.
  static std::uint64_t OwnerOf(const Mutex* mutex) noexcept;

 private:
  friend class CondVar;  // puts suspended fibers into the queue

  enum class WaiterStatus : std::uint8_t {
    kNew,
    kHasTried,    // was about to wait, found the mutex free and was sent to try again
    kIsWoken,     // kWoken stands for it
    kIsNotified,  // by a CondVar: is resumed as owner only
  };

  // Lies on the stack of the fiber that waits. Belongs to the fiber; in the list or queue to the owner of the lock.
  struct Waiter {
    Cell<Waiter*> next;
    FiberHandle fiber;
    Cell<WaiterStatus> status{WaiterStatus::kNew};
    Cell<bool> owns{false};  // the fiber is resumed as owner
  };

  static constexpr std::uintptr_t kFree = 0;
  static constexpr std::uintptr_t kLocked = 1;
  static constexpr std::uintptr_t kWoken = 2;
  static constexpr std::uintptr_t kReserved = 4;
  static constexpr std::uintptr_t kBits = kLocked | kWoken | kReserved;
  static_assert(alignof(Waiter) > kBits);

  // In owner_: the mutex was handed over to that fiber, which does not run yet.
  static constexpr std::uint64_t kNotRunning = std::uint64_t{1} << 63;

  // Whether a waiter may take the mutex in this state. `woken`: it is the one that kWoken stands for.
  static bool MayTake(std::uintptr_t state, bool woken) noexcept {
    return (state & kLocked) == 0 || (woken && (state & kReserved) != 0);
  }

  static std::uintptr_t Taken(std::uintptr_t state, bool woken) noexcept {
    return (woken ? state & ~(kWoken | kReserved) : state) | kLocked;
  }

  void LockSlow() noexcept;
  // Takes the mutex if that is possible soon.
  bool TrySpin(bool woken) noexcept;
  // Lets a suspended fiber wait, or resumes it. Any thread. The mutex is not touched after the fiber has become owner,
  // is resumed, or can be seen in the list.
  void Enqueue(Waiter& waiter) noexcept;
  // As Enqueue(), for a waiter that is to own the mutex when it is resumed: it calls IsResumed() then.
  void EnqueueNotified(Waiter& waiter) noexcept {
    waiter.status.Write(WaiterStatus::kIsNotified);
    Enqueue(waiter);
  }
  void IsResumed() noexcept {
    SetOwner(CurrentFiberId());
  }
  void UnlockSlow() noexcept;

  // ---- By the owner ----

  // Moves the list to the queue, and returns instead the one that was woken and came too late, if it is in the list.
  Waiter* Gather() noexcept;
  void HandOver(Waiter& waiter) noexcept;

  // By the new owner, or by the fiber that hands the lock over to it.
  void SetOwner(std::uint64_t fiber) noexcept {
    // relaxed: for reports and spins, which make do with what they find.
    owner_.Store(fiber, memory_order_relaxed);
  }

  // What each lock and unlock touches is together: a mutex may lie across two cache lines.
  Atomic<std::uintptr_t> state_{kFree};
  Cell<Waiter*> oldest_;                   // of the owner: the queue
  Atomic<std::uint64_t> owner_{0};         // the last one, where the mutex is free
  Cell<std::uint32_t> overtakings_{0};     // of the owner
  Atomic<std::uint32_t> failed_spins_{0};  // since one was worth it; a hint, updates may be lost
  const std::uint32_t max_overtakes_ = kMaxOvertakes;
  Cell<Waiter*> latest_;          // of the owner: the end of the queue, where there is one
  Cell<std::uint64_t> woken_{0};  // of the owner: the fiber that was woken last
};

// Holds a Mutex, or does not: for code that unlocks and locks again within a scope. Movable.
class UniqueLock {
 public:
  UniqueLock() = default;

  // Locks `mutex`, which must outlive this object. Requires: called from a fiber.
  explicit UniqueLock(Mutex& mutex) noexcept
      : mutex_(&mutex) {
    Lock();
  }

  // Keeps `mutex` for a later Lock(), and does not lock yet.
  UniqueLock(Mutex& mutex, std::defer_lock_t /*defer*/) noexcept
      : mutex_(&mutex) {
  }

  // Tries to lock `mutex`: holds it if it was free.
  UniqueLock(Mutex& mutex, std::try_to_lock_t /*try_now*/) noexcept
      : mutex_(&mutex) {
    TryLock();
  }

  // Takes over `mutex`, which the caller has locked: the destructor unlocks it. Requires: the caller owns it.
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

  // Waits until the mutex is free, and holds it. Requires: there is a mutex and it is not held; called from a fiber.
  void Lock() noexcept {
    SB_ASSERT(mutex_ != nullptr && !owns_, "a lock without a mutex, or that holds it already");
    mutex_->Lock();
    owns_ = true;
  }

  // Takes the mutex if it is free. Returns whether it holds it. Requires: there is a mutex and it is not held. Any thread.
  bool TryLock() noexcept {
    SB_ASSERT(mutex_ != nullptr && !owns_, "a lock without a mutex, or that holds it already");
    owns_ = mutex_->TryLock();
    return owns_;
  }

  // Unlocks the mutex and keeps it for another Lock(). Requires: it holds the mutex.
  void Unlock() noexcept {
    SB_ASSERT(owns_, "the mutex is not held");
    owns_ = false;
    mutex_->Unlock();
  }

  // Whether it holds its mutex now.
  bool OwnsLock() const noexcept {
    return owns_;
  }

  // Returns its mutex, held or not; null if it has none.
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
  // Locks `mutex`, as Mutex::Lock() does.
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
