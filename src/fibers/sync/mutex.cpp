#include "fibers/sync/mutex.hpp"

#include "fibers/sched/suspend.hpp"
#include "platform/safe_read.hpp"

namespace schedbench::fibers {

void Mutex::LockSlow() noexcept {
  Waiter waiter;
  const auto enqueue = [this, &waiter](FiberHandle fiber) {
    waiter.fiber = std::move(fiber);
    Enqueue(waiter);
  };
  Suspend(enqueue, {.kind = WaitKind::kMutex, .object = this}, &waiter.fiber);
}

void Mutex::Enqueue(Waiter& waiter) noexcept {
  // relaxed: the exchanges below do the ordering.
  std::uintptr_t state = state_.Load(memory_order_relaxed);
  for (;;) {
    if (state == kFree) {
      // acquire: pairs with the release in Unlock(). relaxed: on failure we look again.
      if (state_.CompareExchangeWeak(state, kLocked, memory_order_acquire, memory_order_relaxed)) {
        SetOwner(waiter.fiber.Id());
        waiter.fiber.Schedule();
        return;
      }
      continue;
    }
    waiter.next.Write(state == kLocked ? nullptr : reinterpret_cast<Waiter*>(state));
    // release: pairs with the acquire in UnlockSlow(), which reads the waiter.
    // relaxed: on failure we look again.
    if (state_.CompareExchangeWeak(state, reinterpret_cast<std::uintptr_t>(&waiter),
                                   memory_order_release, memory_order_relaxed)) {
      return;
    }
  }
}

void Mutex::UnlockSlow() noexcept {
  if (queue_.Read() == nullptr) {
    // acquire: pairs with the release in LockSlow(); the waiters are ours to read. The critical section
    // passes to the next owner by Schedule(), which orders it.
    auto* newest = reinterpret_cast<Waiter*>(state_.Exchange(kLocked, memory_order_acquire));
    while (newest != nullptr) {
      Waiter* const older = newest->next.Read();
      newest->next.Write(queue_.Read());
      queue_.Write(newest);
      newest = older;
    }
  }
  Waiter* const next_owner = queue_.Read();
  queue_.Write(next_owner->next.Read());
  SetOwner(next_owner->fiber.Id());
  next_owner->fiber.Schedule();
}

std::uint64_t Mutex::OwnerOf(const Mutex* mutex) noexcept {
  std::uint64_t owner = 0;
  platform::SafeRead(reinterpret_cast<std::uintptr_t>(&mutex->owner_), owner);
  return owner;
}

}  // namespace schedbench::fibers
