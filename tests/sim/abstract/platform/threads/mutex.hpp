#pragma once

// Stands in for src/platform/threads/mutex.hpp where that is not what is checked: a lock of the
// simulated machine, one step to take and none to give back.

#include "base/atomic.hpp"

#include <atomic>
#include <cstdint>

namespace schedbench::platform {

// Beside the real one in the same program.
inline namespace abstract {

class Mutex {
 public:
  Mutex() noexcept
      : word_(sim::Machine::Instance().NewWord(0)) {
  }

  ~Mutex() {
    sim::Machine::Instance().DestroyLocation(word_);
  }

  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock(sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().Lock(word_, where);
  }

  // Fails only where the thread that has the lock pauses inside: the unlock is no step of its own.
  bool TryLock(sim::Place where = sim::Place::current()) noexcept {
    std::uint64_t expected = 0;
    return sim::Machine::Instance().CompareExchange(word_, expected, 1, std::memory_order_acquire,
                                                    std::memory_order_relaxed, false, where);
  }

  void Unlock(sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().Unlock(word_, where);
  }

  // For models only.
  void UnlockAndAwaitUnlock(sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().UnlockAndAwaitUnlock(word_, where);
  }

 private:
  sim::Word word_;
};

class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex, sim::Place where = sim::Place::current()) noexcept
      : mutex_(mutex) {
    mutex_.Lock(where);
  }

  ~MutexLock() {
    mutex_.Unlock();
  }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // For a metric alone.
  bool Waited() const noexcept {
    return false;
  }

 private:
  Mutex& mutex_;
};

// The waiters sleep on a futex that counts notifications, as in the real one.
class ConditionVariable {
 public:
  bool Wait(Mutex& mutex, sim::Place where = sim::Place::current()) noexcept;
  void NotifyOne(sim::Place where = sim::Place::current()) noexcept;
  void NotifyAll(sim::Place where = sim::Place::current()) noexcept;

 private:
  Atomic<std::uint32_t> notifications_{0};
};

}  // namespace abstract

}  // namespace schedbench::platform
