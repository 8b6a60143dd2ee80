#include "fibers/sync/mutex.hpp"

#include "base/brief_spin.hpp"
#include "fibers/core/suspend.hpp"
#include "platform/memory/safe_read.hpp"

namespace schedbench::fibers {

namespace {

// If owners suspend with the mutex held, or sections are long, spinning does not help: after this
// many failed spins in a row only each kProbe-th wait starts with a spin. The number is arbitrary.
constexpr std::uint32_t kMaxFailedSpins = 16;
constexpr std::uint32_t kProbe = 32;

bool ShouldSpin(std::uint32_t failed_spins) noexcept {
  return failed_spins < kMaxFailedSpins || failed_spins % kProbe == 0;
}

}  // namespace

void Mutex::LockSlow() noexcept {
  Waiter waiter;
  while (!TrySpin(waiter.status.Read() == WaiterStatus::kIsWoken)) {
    const auto enqueue = [this, &waiter](FiberHandle fiber) {
      waiter.fiber = std::move(fiber);
      Enqueue(waiter);
    };
    Suspend(enqueue, {.kind = WaitKind::kMutex, .object = this}, &waiter.fiber);
    if (waiter.owns.Read()) {
      IsResumed();
      return;
    }
  }
}

bool Mutex::TrySpin(bool woken) noexcept {
  const std::uint32_t failed_spins = failed_spins_.Load(memory_order_relaxed);
  // Only one fiber is woken at a time, and that cost a wake, so it reads the word often.
  BriefSpin spin(woken ? BriefSpin::kClosely : BriefSpin::kLoosely);
  bool has_spun = false;
  std::uintptr_t state = state_.Load(memory_order_relaxed);
  for (;;) {
    if (MayTake(state, woken)) {
      // acquire: pairs with the release in Unlock() and UnlockSlow(). relaxed: a failure retries.
      if (state_.CompareExchangeWeak(state, Taken(state, woken), memory_order_acquire,
                                     memory_order_relaxed)) {
        if (has_spun && failed_spins != 0) {
          failed_spins_.Store(0, memory_order_relaxed);
        }
        SetOwner(CurrentFiberId());
        return true;
      }
      continue;
    }
    if ((owner_.Load(memory_order_relaxed) & kNotRunning) != 0) {
      return false;
    }
    if (!ShouldSpin(failed_spins) || !spin.TryPause()) {
      failed_spins_.Store(failed_spins + 1, memory_order_relaxed);
      return false;
    }
    has_spun = true;
    state = state_.Load(memory_order_relaxed);
  }
}

void Mutex::Enqueue(Waiter& waiter) noexcept {
  const bool woken = waiter.status.Read() == WaiterStatus::kIsWoken;
  std::uintptr_t state = state_.Load(memory_order_relaxed);
  for (;;) {
    if (MayTake(state, woken)) {
      if (waiter.status.Read() == WaiterStatus::kNew) {
        // A suspended fiber could not use the mutex.
        waiter.status.Write(WaiterStatus::kHasTried);
        waiter.fiber.Schedule();
        return;
      }
      // acquire: pairs with the release in Unlock() and UnlockSlow(). relaxed: a failure retries.
      if (state_.CompareExchangeWeak(state, Taken(state, woken), memory_order_acquire,
                                     memory_order_relaxed)) {
        HandOver(waiter);
        return;
      }
      continue;
    }
    waiter.next.Write(reinterpret_cast<Waiter*>(state & ~kBits));
    const std::uintptr_t bits = state & (woken ? kLocked : kBits);
    // release: pairs with the acquire in Gather(). relaxed: a failure retries.
    if (state_.CompareExchangeWeak(state, reinterpret_cast<std::uintptr_t>(&waiter) | bits,
                                   memory_order_release, memory_order_relaxed)) {
      return;
    }
  }
}

void Mutex::UnlockSlow() noexcept {
  const std::uint32_t overtakings = overtakings_.Read() + 1;
  const bool due = overtakings >= max_overtakes_;
  overtakings_.Write(due ? 0 : overtakings);
  // relaxed: only owners set kWoken, and the fiber that clears it is in the list of the same value.
  std::uintptr_t state = state_.Load(memory_order_relaxed);
  while ((state & kWoken) != 0) {
    if (due) {
      SetOwner(woken_.Read() | kNotRunning);
    }
    // release: pairs with the acquire in TryLock(), TrySpin(), Enqueue(). relaxed: it retries.
    if (state_.CompareExchangeWeak(state, due ? state | kReserved : state & ~kLocked,
                                   memory_order_release, memory_order_relaxed)) {
      return;
    }
  }
  Waiter* next = state != kLocked ? Gather() : nullptr;
  if (next == nullptr) {
    next = oldest_.Read();
    oldest_.Write(next->next.Read());
  }
  const WaiterStatus status = next->status.Read();
  if (due || status == WaiterStatus::kIsWoken || status == WaiterStatus::kIsNotified) {
    overtakings_.Write(0);
    HandOver(*next);
    return;
  }
  next->status.Write(WaiterStatus::kIsWoken);
  woken_.Write(next->fiber.Id());
  // Frees the mutex, sets kWoken. release: pairs with the acquire in TryLock(), TrySpin(),
  // Enqueue().
  state_.FetchAdd(kWoken - kLocked, memory_order_release);
  next->fiber.Schedule();
}

Mutex::Waiter* Mutex::Gather() noexcept {
  // acquire: pairs with the release in Enqueue(), after which this thread may read the waiters.
  auto* newest = reinterpret_cast<Waiter*>(state_.FetchAnd(kBits, memory_order_acquire) & ~kBits);
  Waiter* woken = nullptr;
  Waiter* first = nullptr;
  Waiter* last = nullptr;
  while (newest != nullptr) {
    Waiter* const older = newest->next.Read();
    if (newest->status.Read() == WaiterStatus::kIsWoken) {
      woken = newest;
    } else {
      newest->next.Write(first);
      last = first == nullptr ? newest : last;
      first = newest;
    }
    newest = older;
  }
  if (first != nullptr) {
    if (oldest_.Read() == nullptr) {
      oldest_.Write(first);
    } else {
      latest_.Read()->next.Write(first);
    }
    latest_.Write(last);
  }
  return woken;
}

void Mutex::HandOver(Waiter& waiter) noexcept {
  SetOwner(waiter.fiber.Id() | kNotRunning);
  waiter.owns.Write(true);
  // Schedule() passes the critical section to the next owner and orders it.
  waiter.fiber.Schedule();
}

std::uint64_t Mutex::OwnerOf(const Mutex* mutex) noexcept {
  std::uint64_t state = 0;
  std::uint64_t owner = 0;
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&mutex->state_), state);
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&mutex->owner_), owner);
  return (state & kLocked) != 0 ? owner & ~kNotRunning : 0;
}

}  // namespace schedbench::fibers
