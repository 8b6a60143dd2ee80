#include "fibers/net/ready_slot.hpp"

#include "base/assert.hpp"
#include "base/attributes.hpp"
#include "base/spin_wait.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/sync/blocked_thread.hpp"
#include "fibers/time/sleeper.hpp"
#include "platform/threads/thread_event.hpp"

#include <utility>

// AddressSanitizer keeps locals on a stack of its own, whose owner Forget() could not find out.
#if defined(SB_ASAN)
#define SB_LOCALS_ON_FIBER_STACK __attribute__((no_sanitize("address")))
#else
#define SB_LOCALS_ON_FIBER_STACK
#endif

namespace schedbench::fibers {

// The entry of a waiting fiber or thread, on its stack.
struct ReadySlot::Waiter {
  FiberHandle fiber;                        // valid for a fiber without a deadline
  platform::ThreadEvent* thread = nullptr;  // not null for a thread
  Sleeper* sleeper = nullptr;               // not null for a fiber with a deadline
  // With a deadline the timer may resume the fiber before it is in the slot. kEntered or kRefused:
  // the code after the switch is done with the waiter.
  Atomic<std::uint32_t> entry{0};
  // The slot was taken too late for the sleeper, and that thread is done with the waiter.
  Atomic<std::uint32_t> passed{0};
};

namespace {

// Values of Waiter::entry.
constexpr std::uint32_t kEntering = 0;
constexpr std::uint32_t kEntered = 1;
constexpr std::uint32_t kRefused = 2;

constexpr std::uint32_t kClaimedByWake = 1;  // claims a Sleeper

}  // namespace

// Returns false if no wait is necessary. Afterwards the thread that takes the waiter out owns it.
bool ReadySlot::TryEnter(Waiter& waiter) noexcept {
  std::uintptr_t word = kNil;
  for (;;) {
    // release: pairs with the acquire in Wake(). relaxed: a failure reads only the word.
    if (word == kNil && word_.CompareExchange(word, reinterpret_cast<std::uintptr_t>(&waiter),
                                              memory_order_release, memory_order_relaxed)) {
      return true;
    }
    if (word == kClosed) {
      return false;
    }
    SB_ASSERT(!IsWaiter(word), "two waiters in a slot");
    if (word == kReady && TryTakeEvent(word)) {
      return false;
    }
  }
}

// Takes kReady out. Otherwise sets `word` to the current value.
bool ReadySlot::TryTakeEvent(std::uintptr_t& word) noexcept {
  word = kReady;
  // acquire: pairs with the release in Wake(); the next call sees the event's cause. relaxed: a
  // failure reads only the word.
  return word_.CompareExchange(word, kNil, memory_order_acquire, memory_order_relaxed);
}

// Takes out the calling waiter. Returns false if another thread has taken it out.
bool ReadySlot::TryLeave(Waiter& waiter) noexcept {
  auto expected = reinterpret_cast<std::uintptr_t>(&waiter);
  // relaxed: only the waiter uses what it takes out.
  return word_.CompareExchange(expected, kNil, memory_order_relaxed, memory_order_relaxed);
}

ReadySlot::Outcome ReadySlot::AfterWake() const noexcept {
  // relaxed: the thread that closed the slot has resumed the waiter since, or the two race.
  return word_.Load(memory_order_relaxed) == kClosed ? Outcome::kClosed : Outcome::kReady;
}

ReadySlot::Outcome ReadySlot::Wait(Deadline deadline, Waiting waiting) noexcept {
  // Avoids a switch if the event came between the system call and this call.
  std::uintptr_t word = kReady;
  if (TryTakeEvent(word)) {
    return Outcome::kReady;
  }
  if (word == kClosed) {
    return Outcome::kClosed;
  }
  if (deadline.HasPassed()) {
    return Outcome::kTimeout;
  }
  if (FiberThread::CurrentFiber() == nullptr) {
    return WaitOnThread(deadline, waiting);
  }
  return deadline.IsNever() ? WaitOnFiber(waiting) : WaitOnFiberUntil(deadline, waiting);
}

SB_LOCALS_ON_FIBER_STACK
ReadySlot::Outcome ReadySlot::WaitOnFiber(Waiting waiting) noexcept {
  Waiter waiter;
  const auto enter = [this, &waiter](FiberHandle fiber) {
    waiter.fiber = std::move(fiber);
    executors::HappensBefore(&waiter);
    if (!TryEnter(waiter)) {
      waiter.fiber.Schedule();
    }
  };
  Suspend(enter, waiting, &waiter.fiber);
  return AfterWake();
}

SB_LOCALS_ON_FIBER_STACK
ReadySlot::Outcome ReadySlot::WaitOnFiberUntil(Deadline deadline, Waiting waiting) noexcept {
  Waiter waiter;
  Sleeper sleeper(deadline);
  waiter.sleeper = &sleeper;
  const auto enter = [this, &waiter](FiberHandle fiber) {
    executors::HappensBefore(&waiter);
    waiter.sleeper->Begin(std::move(fiber));
    // From here on the timer may resume the fiber, which then waits for `entry`.
    if (TryEnter(waiter)) {
      // release: pairs with the acquire after Suspend(); this code does not touch the waiter again.
      waiter.entry.Store(kEntered, memory_order_release);
      return;
    }
    Sleeper* const claimed = waiter.sleeper->TryClaim(kClaimedByWake) ? waiter.sleeper : nullptr;
    // release: pairs with the acquire after Suspend(). Without the claim the waiter may be gone.
    waiter.entry.Store(kRefused, memory_order_release);
    if (claimed != nullptr) {
      claimed->Resume();
    }
  };
  Suspend(enter, waiting, sleeper.Handle());
  const std::uint32_t by = sleeper.End();
  SpinWait spin;
  std::uint32_t entry = kEntering;
  // acquire: pairs with the release in `enter`, the last use of the waiter there.
  while ((entry = waiter.entry.Load(memory_order_acquire)) == kEntering) {
    spin.Spin();
  }
  if (by != Sleeper::kDeadline || entry == kRefused) {
    return AfterWake();
  }
  if (TryLeave(waiter)) {
    return Outcome::kTimeout;
  }
  // Another thread has taken the waiter out, too late to resume it. Its result is still true.
  // acquire: pairs with the release in Take(), its last use of the waiter.
  while (waiter.passed.Load(memory_order_acquire) == 0) {
    spin.Spin();
  }
  return AfterWake();
}

ReadySlot::Outcome ReadySlot::WaitOnThread(Deadline deadline, Waiting waiting) noexcept {
  platform::ThreadEvent wake;
  Waiter waiter;
  waiter.thread = &wake;
  if (!TryEnter(waiter)) {
    return AfterWake();
  }
  const BlockedThread blocked(waiting);
  if (deadline.IsNever()) {
    wake.Wait();
  } else if (!wake.WaitFor(deadline.Left())) {
    if (TryLeave(waiter)) {
      return Outcome::kTimeout;
    }
    wake.Wait();
  }
  return AfterWake();
}

FiberHandle ReadySlot::Wake(std::uintptr_t reason) noexcept {
  std::uintptr_t word = word_.Load(memory_order_relaxed);
  for (;;) {
    if (word == kClosed) {
      return {};
    }
    // A waiter notices an event by its resumption, but a close must stay visible. kReady is written
    // again over kReady: that may be an old value, and a waiter has entered since.
    const std::uintptr_t next = IsWaiter(word) && reason == kReady ? kNil : reason;
    // acquire: pairs with the release in TryEnter(), after which this thread may read the waiter.
    // release: pairs with the acquire in TryTakeEvent(), and in Forget(), which reads the poller's
    // round afterwards. relaxed: a failure retries.
    if (word_.CompareExchange(word, next, memory_order_acq_rel, memory_order_relaxed)) {
      break;
    }
  }
  return IsWaiter(word) ? Take(*reinterpret_cast<Waiter*>(word)) : FiberHandle();
}

FiberHandle ReadySlot::Take(Waiter& waiter) noexcept {
  executors::HappensAfter(&waiter);
  if (waiter.thread != nullptr) {
    waiter.thread->Set();
    return {};
  }
  if (waiter.sleeper == nullptr) {
    return std::move(waiter.fiber);
  }
  if (waiter.sleeper->TryClaim(kClaimedByWake)) {
    return waiter.sleeper->Release();
  }
  // release: pairs with the acquire in WaitOnFiberUntil().
  waiter.passed.Store(1, memory_order_release);
  return {};
}

void ReadySlot::Forget(const StackPool& pool) noexcept {
  // acquire: pairs with the release in Wake(); the caller sees the round that took the waiter.
  std::uintptr_t word = word_.Load(memory_order_acquire);
  if (IsWaiter(word) && pool.Contains(reinterpret_cast<const void*>(word))) {
    // relaxed: the waiter is dropped. acquire on failure: pairs with the release in Wake(), too.
    word_.CompareExchange(word, kNil, memory_order_relaxed, memory_order_acquire);
  }
}

}  // namespace schedbench::fibers
