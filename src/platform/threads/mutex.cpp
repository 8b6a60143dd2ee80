#include "platform/threads/mutex.hpp"

#include "base/spin_wait.hpp"
#include "platform/threads/futex.hpp"

namespace schedbench::platform {

void Mutex::LockSlow() noexcept {
  for (SpinWait spin; !spin.Exhausted(); spin.Spin()) {
    // relaxed: only a hint that a try may succeed; TryLock() orders.
    if (state_.Load(memory_order_relaxed) == kFree && TryLock()) {
      return;
    }
  }
  // From here this takes the lock as kContended, because other threads may sleep too. acquire:
  // pairs with the release in Unlock().
  while (state_.Exchange(kContended, memory_order_acquire) != kFree) {
    FutexWait(state_, kContended);
  }
}

void Mutex::Wake() noexcept {
  FutexWake(state_, 1);
}

bool ConditionVariable::Wait(Mutex& mutex) noexcept {
  const std::uint32_t seen = notifications_.Load(memory_order_relaxed);
  mutex.Unlock();
  FutexWait(notifications_, seen);
  return mutex.Lock();
}

void ConditionVariable::NotifyOne() noexcept {
  Notify(1);
}

void ConditionVariable::NotifyAll() noexcept {
  Notify(kWakeAll);
}

void ConditionVariable::Notify(std::uint32_t count) noexcept {
  notifications_.FetchAdd(1, memory_order_relaxed);
  FutexWake(notifications_, count);
}

}  // namespace schedbench::platform
