#pragma once

#include "base/atomic.hpp"
#include "base/spin_wait.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Guards the few instructions in which a primitive changes its queues. May be locked by a fiber and unlocked
// after its switch, on another stack: that is how a fiber gets into a queue and off its stack in one step (see
// Suspend). Then the worker's pick of its next task lies in between; a waiting thread yields its CPU meanwhile.
class SpinLock {
 public:
  // Spins, and yields the CPU after a while, until the lock is free. Any thread or fiber; not
  // recursive.
  void Lock() noexcept {
    SpinWait spin;
    // acquire: pairs with the release in Unlock().
    while (locked_.Exchange(1, memory_order_acquire) != 0) {
      // relaxed: only a hint that the lock may be free; the exchange does the ordering.
      while (locked_.Load(memory_order_relaxed) != 0) {
        spin.Spin();
      }
    }
  }

  // Frees the lock. Requires: locked, not necessarily by the calling thread.
  void Unlock() noexcept {
    // release: pairs with the acquire in Lock().
    locked_.Store(0, memory_order_release);
  }

 private:
  Atomic<std::uint32_t> locked_{0};
};

}  // namespace schedbench::fibers
