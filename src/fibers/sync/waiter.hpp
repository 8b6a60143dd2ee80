#pragma once

#include "fibers/core/suspend.hpp"
#include "fibers/sync/spin_lock.hpp"
#include "fibers/sync/wait_list.hpp"
#include "fibers/time/sleeper.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::fibers {

// A waiter in a list that a SpinLock guards. Lies on the stack of its fiber, which has one for each primitive that it waits
// for.
struct Waiter : WaitNode<Waiter> {
  FiberHandle fiber;           // of a fiber that waits for this alone and without a deadline
  Sleeper* sleeper = nullptr;  // of any other
  std::uint32_t number = 1;    // by which the sleeper is claimed
  bool dropped =
      false;  // taken out of the list by a thread that did not get the claim; guarded by the list's lock

  // Resumes the fiber that waits. By the thread that got the waiter from TryPop(). On return the waiter may no longer exist.
  void Resume(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    if (sleeper == nullptr) [[likely]] {
      fiber.Schedule(hint);
    } else {
      sleeper->Resume(hint);
    }
  }

  // Returns the handle of the fiber that waits, for a caller that resumes it in another way. The waiter may be gone when
  // the handle is used. By the thread that got the waiter from TryPop().
  FiberHandle Release() noexcept {
    return sleeper == nullptr ? std::move(fiber) : sleeper->Release();
  }
};

using Waiters = WaitList<Waiter>;

// Claims `waiter`, or takes waiters out of `list` until one is claimed; the part of TryPop() for a waiter that must be claimed.
inline Waiter* ClaimOrPop(Waiter* waiter, Waiters& list) noexcept {
  while (waiter != nullptr && waiter->sleeper != nullptr &&
         !waiter->sleeper->TryClaim(waiter->number)) {
    waiter->dropped = true;
    waiter = list.TryPopFront();
  }
  return waiter;
}

// Takes out the oldest waiter that no other thread has claimed; the caller must resume it. Null: there is none. Requires: the
// list's lock.
template <typename W = Waiter>
W* TryPop(Waiters& list) noexcept {
  Waiter* waiter = list.TryPopFront();
  if (waiter != nullptr && waiter->sleeper != nullptr) [[unlikely]] {
    waiter = ClaimOrPop(waiter, list);
  }
  return static_cast<W*>(waiter);
}

// Whether TryPop() may find one. Those that others have claimed leave the list. Requires: the list's lock.
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

// Suspends the running fiber as the newest in `list`. Returns when a thread that got it from TryPop() has resumed it. Requires:
// `lock` is held; it is released when the fiber is off its stack.
inline void WaitIn(Waiters& list, Waiter& self, SpinLock& lock, const Waiting& waiting) noexcept {
  list.PushBack(&self);
  const auto then = [&lock, &self](FiberHandle fiber) {
    self.fiber = std::move(fiber);
    lock.Unlock();
  };
  Suspend(then, waiting, &self.fiber);
}

// Suspends as WaitIn() does, until `deadline` at the most. Returns false when it was the deadline that has resumed the fiber;
// the fiber has then left the list. Requires: as WaitIn().
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
