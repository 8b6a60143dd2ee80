#pragma once

#include "fibers/core/suspend.hpp"
#include "fibers/sync/spin_lock.hpp"
#include "fibers/sync/wait_list.hpp"
#include "fibers/time/sleeper.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::fibers {

// A waiter in a list that a SpinLock guards, on its fiber's stack: one for each primitive.
struct Waiter : WaitNode<Waiter> {
  FiberHandle fiber;           // set if the fiber waits for this alone and without a deadline
  Sleeper* sleeper = nullptr;  // set for all other fibers
  std::uint32_t number = 1;    // the number for claiming the sleeper
  // A thread took the waiter out of the list and did not get the claim; guarded by the list's lock.
  bool dropped = false;

  // Resumes the fiber for the thread that called TryPop(). On return the waiter may be gone.
  void Resume(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    if (sleeper == nullptr) [[likely]] {
      fiber.Schedule(hint);
    } else {
      sleeper->Resume(hint);
    }
  }

  // Returns the handle of the fiber, for a caller that resumes it in another way. Only the thread
  // that got the waiter from TryPop() calls it. The waiter may be gone when the handle is used.
  FiberHandle Release() noexcept {
    return sleeper == nullptr ? std::move(fiber) : sleeper->Release();
  }
};

using Waiters = WaitList<Waiter>;

// Claims `waiter`, or takes waiters out of `list` until one is claimed. A part of TryPop().
inline Waiter* ClaimOrPop(Waiter* waiter, Waiters& list) noexcept {
  while (waiter != nullptr && waiter->sleeper != nullptr &&
         !waiter->sleeper->TryClaim(waiter->number)) {
    waiter->dropped = true;
    waiter = list.TryPopFront();
  }
  return waiter;
}

// Takes out and returns the oldest waiter that no other thread has claimed, or null. The caller
// must resume it. Requires: the list's lock.
template <typename W = Waiter>
W* TryPop(Waiters& list) noexcept {
  Waiter* waiter = list.TryPopFront();
  if (waiter != nullptr && waiter->sleeper != nullptr) [[unlikely]] {
    waiter = ClaimOrPop(waiter, list);
  }
  return static_cast<W*>(waiter);
}

// Returns whether TryPop() may find a waiter. Takes out claimed waiters. Requires: the list's lock.
inline bool HasWaiter(Waiters& list) noexcept {
  while (Waiter* const front = list.Front()) {
    if (front->sleeper == nullptr || !front->sleeper->IsClaimed()) {
      return true;
    }
    list.TryPopFront();
    front->dropped = true;
  }
  return false;
}

// Suspends the running fiber as the newest in `list`. Returns when a thread that got it from
// TryPop() resumed it. Requires: `lock` is held; it is released when the fiber is off its stack.
inline void WaitIn(Waiters& list, Waiter& self, SpinLock& lock, const Waiting& waiting) noexcept {
  list.PushBack(&self);
  const auto then = [&lock, &self](FiberHandle fiber) {
    self.fiber = std::move(fiber);
    lock.Unlock();
  };
  Suspend(then, waiting, &self.fiber);
}

// Suspends like WaitIn(), at most until `deadline`. Returns false, with the fiber out of the list,
// if the deadline has resumed it. Requires: `lock` is held, as for WaitIn().
inline bool WaitInUntil(Deadline deadline, Waiters& list, Waiter& self, SpinLock& lock,
                        const Waiting& waiting) noexcept {
  Sleeper sleeper(deadline);
  self.sleeper = &sleeper;
  list.PushBack(&self);
  const auto then = [&lock, &sleeper](FiberHandle fiber) {
    sleeper.Begin(std::move(fiber));
    lock.Unlock();
  };
  Suspend(then, waiting, sleeper.Handle());
  if (sleeper.End() != Sleeper::kDeadline) {
    return true;
  }
  lock.Lock();
  if (!self.dropped) {
    list.Remove(&self);
  }
  lock.Unlock();
  return false;
}

}  // namespace schedbench::fibers
