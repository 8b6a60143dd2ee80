#pragma once

#include "fibers/sync/waiter.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::fibers {

// A number of permits: a fiber takes one, or waits for one. First come, first served: a permit goes
// directly to the fiber that has waited longest, and no other can overtake it. Any thread or fiber
// may call Release(), also without an Acquire().
//
// Invariants under lock_: (I1) permits_ > 0 => no fiber waits, except waiters whose deadline has
// passed. (I2) a waiter in the list has a valid handle when the lock is free. (I3) Release()
// touches the semaphore last when it unlocks lock_, before it resumes a waiter, which may destroy
// it.
class Semaphore {
 public:
  // Starts with `permits` permits. Release() may raise their number without limit.
  explicit Semaphore(std::uint64_t permits) noexcept
      : permits_(permits) {
  }

  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  // Takes a permit, after waiting for it if necessary. Requires: called from a fiber.
  void Acquire() noexcept {
    lock_.Lock();
    if (permits_ > 0) [[likely]] {
      --permits_;
      lock_.Unlock();
      return;
    }
    Waiter self;
    WaitIn(waiters_, self, lock_, {.kind = WaitKind::kSemaphore, .object = this});
  }

  // Takes a permit if there is one. Returns whether it did. Any thread.
  bool TryAcquire() noexcept {
    lock_.Lock();
    const bool taken = permits_ > 0;
    permits_ -= taken ? 1 : 0;
    lock_.Unlock();
    return taken;
  }

  // Waits for a permit at most until `deadline`. Returns whether it got one. Requires: called from
  // a fiber.
  bool AcquireUntil(Deadline deadline) noexcept {
    lock_.Lock();
    const bool taken = permits_ > 0;
    permits_ -= taken ? 1 : 0;
    if (taken || deadline.HasPassed()) {
      lock_.Unlock();
      return taken;
    }
    Waiter self;
    return WaitInUntil(deadline, waiters_, self, lock_,
                       {.kind = WaitKind::kSemaphore, .object = this});
  }

  // Waits for a permit at most for `time` from now. Returns whether it got one. Requires: called
  // from a fiber.
  bool AcquireFor(std::chrono::nanoseconds time) noexcept {
    return AcquireUntil(Deadline::In(time));
  }

  // Gives `permits` to waiting fibers and keeps the rest for later fibers. Any thread.
  void Release(std::uint64_t permits = 1) noexcept {
    Waiters served;
    lock_.Lock();
    for (; permits > 0; --permits) {
      Waiter* const waiter = TryPop(waiters_);
      if (waiter == nullptr) {
        break;
      }
      served.PushBack(waiter);
    }
    permits_ += permits;
    lock_.Unlock();
    while (Waiter* const waiter = served.TryPopFront()) {
      waiter->Resume();
    }
  }

  // Returns the current number of permits, which other threads may change at once. Any thread.
  std::uint64_t Permits() noexcept {
    lock_.Lock();
    const std::uint64_t permits = permits_;
    lock_.Unlock();
    return permits;
  }

 private:
  SpinLock lock_;
  // Guarded by lock_.
  std::uint64_t permits_;
  Waiters waiters_;
};

}  // namespace schedbench::fibers
