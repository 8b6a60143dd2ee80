#include "fibers/sync/event.hpp"

#include "base/spin_wait.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sync/blocked_thread.hpp"
#include "fibers/time/sleeper.hpp"
#include "platform/threads/thread_event.hpp"

namespace schedbench::fibers {

// The entry of a waiting fiber or thread, on its stack.
struct Event::Waiter {
  Cell<Waiter*> next;  // the older neighbour
  // The newer neighbour, once a walk has set it; null for the newest. The list's lock guards it.
  Cell<Waiter*> newer;
  FiberHandle fiber;                        // valid for a fiber without a deadline
  platform::ThreadEvent* thread = nullptr;  // not null for a thread
  Sleeper* sleeper = nullptr;               // not null with a deadline
  Atomic<std::uint32_t> passed{0};  // Fire() did not get the sleeper's claim, and is done with it
};

namespace {

constexpr std::uint32_t kClaimedByFire = 1;  // claims a Sleeper

}  // namespace

Event::Event(State state) noexcept
    : state_(state == State::kFired ? kFired : kNotFired) {
}

bool Event::TryEnqueue(Waiter& waiter) noexcept {
  SpinWait spin;
  // acquire: pairs with the exchange in Fire(), in case it has fired.
  std::uintptr_t state = state_.Load(memory_order_acquire);
  while (state != kFired) {
    if ((state & kBusy) != 0) {
      spin.Spin();
      // acquire: pairs with the exchange in Fire(), in case it has fired.
      state = state_.Load(memory_order_acquire);
      continue;
    }
    waiter.next.Write(reinterpret_cast<Waiter*>(state));
    // release: pairs with the exchange in Fire(), which reads the waiter. acquire on failure: pairs
    // with that exchange. g++ accepts no weaker order on success.
    if (state_.CompareExchangeWeak(state, reinterpret_cast<std::uintptr_t>(&waiter),
                                   memory_order_acq_rel, memory_order_acquire)) {
      return true;
    }
  }
  return false;
}

void Event::WaitSlow(Waiting waiting) noexcept {
  Waiter waiter;
  if (FiberThread::CurrentFiber() != nullptr) {
    const auto enqueue = [this, &waiter](FiberHandle fiber) {
      waiter.fiber = std::move(fiber);
      if (!TryEnqueue(waiter)) {
        waiter.fiber.Schedule();
      }
    };
    Suspend(enqueue, waiting, &waiter.fiber);
    return;
  }
  platform::ThreadEvent wake;
  waiter.thread = &wake;
  if (TryEnqueue(waiter)) {
    const BlockedThread blocked(waiting);
    wake.Wait();
  }
}

// Returns false if the event has fired.
bool Event::TryLockList(Waiter*& newest) noexcept {
  SpinWait spin;
  // acquire: pairs with the exchange in Fire(), in case it has fired.
  std::uintptr_t state = state_.Load(memory_order_acquire);
  while (state != kFired) {
    if ((state & kBusy) != 0) {
      spin.Spin();
      // acquire: pairs with the exchange in Fire(), in case it has fired.
      state = state_.Load(memory_order_acquire);
      continue;
    }
    // acquire: pairs with the release in UnlockList() and TryEnqueue(); on failure with Fire().
    if (state_.CompareExchangeWeak(state, state | kBusy, memory_order_acquire,
                                   memory_order_acquire)) {
      newest = reinterpret_cast<Waiter*>(state);
      return true;
    }
  }
  return false;
}

void Event::UnlockList(Waiter* newest) noexcept {
  // release: pairs with the acquire in TryLockList() and the exchange in Fire().
  state_.Store(reinterpret_cast<std::uintptr_t>(newest), memory_order_release);
}

// Takes out a waiter that the deadline has claimed; false if Fire() has taken and passed it.
bool Event::TryLeave(Waiter& waiter) noexcept {
  Waiter* newest = nullptr;
  if (!TryLockList(newest)) {
    SpinWait spin;
    // acquire: pairs with the release in Fire(), its last access to the waiter.
    while (waiter.passed.Load(memory_order_acquire) == 0) {
      spin.Spin();
    }
    return false;
  }
  Waiter* const older = waiter.next.Read();
  Waiter* newer = nullptr;
  if (newest == &waiter) {
    newest = older;
  } else {
    // A waiter without a newer one was the newest at the last walk, or is newer than that walk. So
    // all walks together pass each waiter once.
    if (waiter.newer.Read() == nullptr) {
      for (Waiter* at = newest; at != &waiter; at = at->next.Read()) {
        at->next.Read()->newer.Write(at);
      }
    }
    newer = waiter.newer.Read();
    newer->next.Write(older);
  }
  if (older != nullptr) {
    older->newer.Write(newer);
  }
  UnlockList(newest);
  return true;
}

bool Event::WaitUntilSlow(Deadline deadline, Waiting waiting) noexcept {
  if (deadline.HasPassed()) {
    return IsFired();
  }
  Waiter waiter;
  Sleeper sleeper(deadline);
  waiter.sleeper = &sleeper;
  if (FiberThread::CurrentFiber() == nullptr) {
    return WaitOnThreadUntil(waiter, deadline, waiting);
  }
  Waiter* older = nullptr;
  if (!TryLockList(older)) {
    return true;
  }
  waiter.next.Write(older);
  const auto enter = [this, &waiter](FiberHandle fiber) {
    Waiter* const self = &waiter;
    self->sleeper->Begin(std::move(fiber));
    // If the deadline has passed already, the fiber waits for this lock.
    UnlockList(self);
  };
  Suspend(enter, waiting, sleeper.Handle());
  return sleeper.End() != Sleeper::kDeadline || !TryLeave(waiter);
}

bool Event::WaitOnThreadUntil(Waiter& waiter, Deadline deadline, Waiting waiting) noexcept {
  if (deadline.IsNever()) {
    WaitSlow(waiting);
    return true;
  }
  platform::ThreadEvent wake;
  waiter.thread = &wake;
  Waiter* older = nullptr;
  if (!TryLockList(older)) {
    return true;
  }
  waiter.next.Write(older);
  UnlockList(&waiter);
  const BlockedThread blocked(waiting);
  if (wake.WaitFor(deadline.Left())) {
    return true;
  }
  if (!waiter.sleeper->TryClaim(Sleeper::kDeadline)) {
    wake.Wait();
    return true;
  }
  return !TryLeave(waiter);
}

bool Event::Fire(executors::SchedulerHint hint) noexcept {
  SpinWait spin;
  std::uintptr_t state = state_.Load(memory_order_relaxed);
  for (;;) {
    if (state == kFired) {
      return true;
    }
    if ((state & kBusy) != 0) {
      spin.Spin();
      state = state_.Load(memory_order_relaxed);
      continue;
    }
    // release: pairs with the acquire in IsFired(), TryEnqueue() and TryAbandon(). acquire: pairs
    // with the release in TryEnqueue(), UnlockList() and TryAbandon(), after which this thread may
    // read the waiters. relaxed: a failure retries.
    if (state_.CompareExchangeWeak(state, kFired, memory_order_acq_rel, memory_order_relaxed)) {
      break;
    }
  }
  if (state == kAbandoned) {
    return false;
  }
  Waiter* oldest = nullptr;
  for (auto* waiter = reinterpret_cast<Waiter*>(state); waiter != nullptr;) {
    Waiter* const next = waiter->next.Read();
    waiter->next.Write(oldest);
    oldest = waiter;
    waiter = next;
  }
  while (oldest != nullptr) {
    Waiter* const next = oldest->next.Read();
    if (oldest->sleeper != nullptr && !oldest->sleeper->TryClaim(kClaimedByFire)) {
      // release: pairs with the acquire in TryLeave().
      oldest->passed.Store(1, memory_order_release);
    } else if (oldest->thread != nullptr) {
      oldest->thread->Set();
    } else if (oldest->sleeper != nullptr) {
      oldest->sleeper->Resume(hint);
    } else {
      oldest->fiber.Schedule(hint);
    }
    oldest = next;
  }
  return true;
}

}  // namespace schedbench::fibers
