#include "platform/threads/mutex.hpp"

#include "platform/threads/futex.hpp"

namespace schedbench::platform {

bool ConditionVariable::Wait(Mutex& mutex, sim::Place where) noexcept {
  // relaxed: the mutex orders it.
  const std::uint32_t seen = notifications_.Load(memory_order_relaxed, where);
  mutex.Unlock(where);
  FutexWait(notifications_, seen, where);
  mutex.Lock(where);
  return false;  // as MutexLock::Waited()
}

void ConditionVariable::NotifyOne(sim::Place where) noexcept {
  // relaxed: as above.
  notifications_.FetchAdd(1, memory_order_relaxed, where);
  FutexWake(notifications_, 1, where);
}

void ConditionVariable::NotifyAll(sim::Place where) noexcept {
  // relaxed: as above.
  notifications_.FetchAdd(1, memory_order_relaxed, where);
  FutexWake(notifications_, kWakeAll, where);
}

}  // namespace schedbench::platform
