#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/core/handle.hpp"

#include <cstdint>
#include <mutex>
#include <utility>

namespace schedbench::fibers {

// Mutual exclusion of fibers. A fiber that has to wait spins briefly and then suspends, and its
// thread runs others. Lock-free, allocates nothing. README.md has protocol, proofs and
// measurements.
//
// The first fiber that tries gets a freed mutex, mostly a running one. One suspended fiber at a
// time is woken to try too; if it comes too late, the next Unlock() hands the mutex over to it. So
// overtaking is bounded: with p others that wait before a fiber, it is made ready within (p + 1) *
// max_overtakes sections; once it runs, others get it only while it spins and suspends, and then it
// is the next.
//
// The state word holds three bits and the address of the newest waiter, which points to the next
// older one. When the owner unlocks, it moves that whole list to a queue that only owners touch.
//   kLocked    a fiber owns the mutex, or it is reserved
//   kWoken     one waiter, in neither list nor queue, is ready and has not tried yet, or spins
//   kReserved  the mutex is also reserved for that waiter
// (I1) Members marked "owner" belong to the owner of the lock. (I2) Unlock() touches the mutex for
// the last time before or when it frees or reserves it, and before it schedules the next owner,
// which may destroy it. (I3) While a waiter is in the list or the queue, the mutex is owned or
// kWoken is set. So Unlock() wakes no second waiter, and none is forgotten.
//
// Reports on hangs use the recorded owner, and a spinning fiber sees by it that spinning is
// useless. It is a plain store in a cache line that the caller has just acquired. Rejected: an
// address on the owner's stack. It saves reading the thread's fiber, which costs nothing compared
// to the locked instruction; but a fiber that ends with the lock would leave the blame to its
// stack's next fiber.
class Mutex {
 public:
  // With sections of 100 ns, 64 is as fast as a million: the smallest bound that costs nothing.
  static constexpr std::uint32_t kMaxOvertakes = 64;

  Mutex() = default;

  // While a fiber waits, this many sections may overtake before the mutex is reserved for the fiber
  // that has waited longest. 1 means first come, first served; README.md states the price.
  explicit Mutex(std::uint32_t max_overtakes) noexcept
      : max_overtakes_(max_overtakes) {
  }

  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Waits until the mutex is free and owns it. Requires: called from a fiber that does not own it.
  void Lock() noexcept {
    if (!TryLock()) {
      LockSlow();
    }
  }

  // Takes the mutex if it is free, also before waiting fibers. Returns whether it did. Any thread.
  bool TryLock() noexcept {
    std::uintptr_t state = kFree;
    do {
      // acquire: pairs with the release in Unlock() and UnlockSlow(). relaxed: a failed try reads
      // nothing that the lock guards.
      if (state_.CompareExchange(state, state | kLocked, memory_order_acquire,
                                 memory_order_relaxed)) {
        SetOwner(CurrentFiberId());
        return true;
      }
    } while ((state & kLocked) == 0);
    return false;
  }

  // Frees the mutex and resumes a waiting fiber, or makes that fiber the owner. Requires: the
  // caller owns the mutex; it need not be the fiber that locked it.
  void Unlock() noexcept {
    std::uintptr_t expected = kLocked;
    // release: pairs with the acquire in TryLock(), TrySpin() and Enqueue(). relaxed: on failure
    // UnlockSlow() reads it again.
    if (oldest_.Read() != nullptr ||
        !state_.CompareExchange(expected, kFree, memory_order_release, memory_order_relaxed)) {
      UnlockSlow();
    }
  }

  // Returns the id of the fiber that seems to hold the mutex; 0 if none, or a thread outside of
  // fibers. For reports: `mutex` may be gone. Async-signal-safe.
  static std::uint64_t OwnerOf(const Mutex* mutex) noexcept;

 private:
  friend class CondVar;  // puts suspended fibers into the queue

  enum class WaiterStatus : std::uint8_t {
    kNew,
    kHasTried,    // found the mutex free before waiting, and was sent to try again
    kIsWoken,     // kWoken refers to it
    kIsNotified,  // a CondVar notified it: it resumes only as owner
  };

  // A waiter on its fiber's stack. It belongs to the fiber; in list or queue, to the owner.
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

  // A bit in owner_: the mutex was handed over to that fiber, which does not run yet.
  static constexpr std::uint64_t kNotRunning = std::uint64_t{1} << 63;

  // Returns whether a waiter may take the mutex. `woken`: kWoken refers to that waiter.
  static bool MayTake(std::uintptr_t state, bool woken) noexcept {
    return (state & kLocked) == 0 || (woken && (state & kReserved) != 0);
  }

  static std::uintptr_t Taken(std::uintptr_t state, bool woken) noexcept {
    return (woken ? state & ~(kWoken | kReserved) : state) | kLocked;
  }

  void LockSlow() noexcept;
  // Spins for the mutex if that may help. Returns whether it has taken it.
  bool TrySpin(bool woken) noexcept;
  // Lets a suspended fiber wait, or resumes it. It does not touch the mutex after the fiber has
  // become owner, is resumed, or is visible in the list. Any thread.
  void Enqueue(Waiter& waiter) noexcept;
  // Enqueues a waiter that resumes only as owner and then calls IsResumed().
  void EnqueueNotified(Waiter& waiter) noexcept {
    waiter.status.Write(WaiterStatus::kIsNotified);
    Enqueue(waiter);
  }
  void IsResumed() noexcept {
    SetOwner(CurrentFiberId());
  }
  void UnlockSlow() noexcept;

  // ---- Only the owner calls these functions ----

  // Moves the list to the queue, except a woken waiter, which was late. Returns that one or null.
  Waiter* Gather() noexcept;
  void HandOver(Waiter& waiter) noexcept;

  // Records the owner. The new owner calls it, or the fiber that hands the lock over.
  void SetOwner(std::uint64_t fiber) noexcept {
    owner_.Store(fiber, memory_order_relaxed);
  }

  // The members that each lock and unlock touches are adjacent: a mutex may cross cache lines.
  // relaxed: an exchange checks what was read, and orders.
  Atomic<std::uintptr_t> state_{kFree};
  Cell<Waiter*> oldest_;  // owner: the queue
  // The last owner if the mutex is free. relaxed: reports and spins accept any value.
  Atomic<std::uint64_t> owner_{0};
  Cell<std::uint32_t> overtakings_{0};  // owner
  // Since a spin succeeded. relaxed: a hint, and updates may be lost.
  Atomic<std::uint32_t> failed_spins_{0};
  const std::uint32_t max_overtakes_ = kMaxOvertakes;
  Cell<Waiter*> latest_;          // owner: the last of the queue, if it is not empty
  Cell<std::uint64_t> woken_{0};  // owner: the fiber that was woken last
};

// Holds a Mutex or not: for code that unlocks and locks again within a scope. Movable.
class UniqueLock {
 public:
  UniqueLock() = default;

  // Locks `mutex`, which must outlive this object. Requires: called from a fiber.
  explicit UniqueLock(Mutex& mutex) noexcept
      : mutex_(&mutex) {
    Lock();
  }

  // Keeps `mutex` for a later Lock(), without locking it.
  UniqueLock(Mutex& mutex, std::defer_lock_t /*defer*/) noexcept
      : mutex_(&mutex) {
  }

  // Tries to lock `mutex`: holds it if it was free.
  UniqueLock(Mutex& mutex, std::try_to_lock_t /*try_now*/) noexcept
      : mutex_(&mutex) {
    TryLock();
  }

  // Takes over `mutex`, which the destructor unlocks. Requires: the caller owns it.
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

  // Waits until the mutex is free and holds it. Requires: called from a fiber; a mutex, not held.
  void Lock() noexcept {
    SB_ASSERT(mutex_ != nullptr && !owns_, "a lock without a mutex, or that holds it already");
    mutex_->Lock();
    owns_ = true;
  }

  // Takes the mutex if it is free. Returns whether it did. Requires: a mutex, not held. Any thread.
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

  // Returns whether it holds its mutex now.
  bool OwnsLock() const noexcept {
    return owns_;
  }

  // Returns its mutex, held or not, or null.
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
  // Locks `mutex` like Mutex::Lock().
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
