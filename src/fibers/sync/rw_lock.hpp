#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/sync/waiter.hpp"

#include <cstdint>

namespace schedbench::fibers {

// A lock that many readers share or one writer owns. Readers and writers take turns: a new reader
// waits while a writer waits, and when a writer leaves, all waiting readers enter at once, before
// the next writer. So neither starves the other, and readers enter in batches (B. Brandenburg, J.
// Anderson: Reader-Writer Synchronization for Shared-Memory Multiprocessor Real-Time Systems, ECRTS
// 2009, "phase-fair"). A fiber that shares the lock must not share it again: a writer may have come
// in between, and each would wait for the other. Unlike Mutex, it is always handed over: a resumed
// fiber has it already.
//
// States, under lock_: written_ (one writer), shared_ > 0 (this many readers), or free. (I1)
// written_ => shared_ is 0. (I2) a writer waits => written_ or shared_ > 0. (I3) a reader waits =>
// written_, or a writer waits. (I4) a fiber that unlocks touches the RwLock for the last time when
// it unlocks lock_, before it resumes a waiter, which may destroy it.
class RwLock {
 public:
  RwLock() = default;
  RwLock(const RwLock&) = delete;
  RwLock& operator=(const RwLock&) = delete;

  // Takes the lock exclusively once it is free. Requires: called from a fiber that does not hold
  // it.
  void Lock() noexcept {
    lock_.Lock();
    if (!written_ && shared_ == 0) {
      BeginWriting(CurrentFiberId());
      lock_.Unlock();
      return;
    }
    Writer self;
    self.id = CurrentFiberId();
    WaitIn(writers_, self, lock_, {.kind = WaitKind::kExclusiveLock, .object = this});
  }

  // Locks exclusively if no fiber holds the lock. Returns whether it did. Any thread.
  bool TryLock() noexcept {
    lock_.Lock();
    const bool free = !written_ && shared_ == 0;
    if (free) {
      BeginWriting(CurrentFiberId());
    }
    lock_.Unlock();
    return free;
  }

  // Unlocks the exclusive lock and resumes all waiting readers, or otherwise the oldest writer.
  // Requires: the caller holds it exclusively; it need not be the fiber that locked it.
  void Unlock() noexcept;

  // Locks shared, after waiting while a writer holds the lock or waits for it. Requires: called
  // from a fiber that does not hold it, not even shared.
  void LockShared() noexcept {
    lock_.Lock();
    if (MayShare()) [[likely]] {
      ++shared_;
      lock_.Unlock();
      return;
    }
    Waiter self;
    ++waiting_readers_;
    WaitIn(readers_, self, lock_, {.kind = WaitKind::kSharedLock, .object = this});
  }

  // Locks shared if no writer holds the lock or waits for it. Returns whether it did. Any thread.
  bool TryLockShared() noexcept {
    lock_.Lock();
    const bool may = MayShare();
    shared_ += may ? 1 : 0;
    lock_.Unlock();
    return may;
  }

  // Returns one share. The last reader resumes the oldest waiting writer. Requires: the caller
  // holds a share; it need not be the fiber that locked it.
  void UnlockShared() noexcept;

  // The holders, as far as another thread can see.
  struct Holders {
    std::uint64_t readers = 0;
    std::uint64_t writer = 0;  // the id of the fiber that writes or wrote last
    bool written = false;
  };
  // Reads the holders without the lock: the parts may be of slightly different moments. For
  // reports: `lock` may be gone. Async-signal-safe.
  static Holders HoldersOf(const RwLock* lock) noexcept;

 private:
  struct Writer : Waiter {
    std::uint64_t id = 0;  // id of the fiber
  };

  bool MayShare() const noexcept {
    return !written_ && writers_.IsEmpty();
  }

  void BeginWriting(std::uint64_t fiber) noexcept {
    written_ = true;
    writer_ = fiber;
  }

  SpinLock lock_;
  // lock_ guards all of these. Reports read them without it.
  bool written_ = false;
  std::uint64_t shared_ = 0;
  std::uint64_t waiting_readers_ = 0;
  std::uint64_t writer_ = 0;  // for reports: the last exclusive holder
  Waiters readers_;
  Waiters writers_;  // all are Writers
};

// Holds a RwLock exclusively from construction to the end of the scope.
class ExclusiveLock {
 public:
  // Waits like RwLock::Lock().
  explicit ExclusiveLock(RwLock& lock) noexcept
      : lock_(lock) {
    lock_.Lock();
  }

  ~ExclusiveLock() {
    lock_.Unlock();
  }

  ExclusiveLock(const ExclusiveLock&) = delete;
  ExclusiveLock& operator=(const ExclusiveLock&) = delete;

 private:
  RwLock& lock_;
};

// Shares a RwLock from construction to the end of the scope.
class SharedLock {
 public:
  // Waits like RwLock::LockShared().
  explicit SharedLock(RwLock& lock) noexcept
      : lock_(lock) {
    lock_.LockShared();
  }

  ~SharedLock() {
    lock_.UnlockShared();
  }

  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  RwLock& lock_;
};

}  // namespace schedbench::fibers
