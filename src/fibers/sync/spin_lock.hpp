#pragma once

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "base/spin_wait.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::fibers {

// Guards the few instructions in which a primitive changes its queues. A fiber may lock it, and its
// thread unlock it after the switch, on another stack: so a fiber enters a queue and leaves its
// stack in one step (see Suspend). In between the worker picks its next task, and a waiting thread
// yields its CPU.
class SpinLock {
 public:
  // Pauses between two reads of a taken lock, at first and at most. A read takes the holder's line.
  struct Pauses {
    std::uint16_t first;
    std::uint16_t most;
  };

  // For a lock whose holder does one operation before another fiber must continue: it is soon free.
  static constexpr Pauses kShort{.first = 1, .most = 1};
  // For a lock that one fiber takes many times in a row: the holder does several operations with
  // the lines in its own cache before the other thread reads again. Some 0.5 to 1 us at 16 ns each.
  static constexpr Pauses kLong{.first = 32, .most = 64};

  // Makes a free lock.
  explicit SpinLock(Pauses pauses = kShort) noexcept
      : pauses_(pauses) {
  }

  // Spins, and later yields the CPU, until the lock is free. Any thread or fiber; not recursive.
  void Lock() noexcept {
    // acquire: pairs with the release in Unlock().
    if (locked_.Exchange(1, memory_order_acquire) != 0) [[unlikely]] {
      LockSlow();
    }
  }

  // Frees the lock. Requires: locked, not necessarily by the calling thread.
  void Unlock() noexcept {
    // release: pairs with the acquire in Lock().
    locked_.Store(0, memory_order_release);
  }

 private:
  // Not inlined, so that the code for a free lock stays short.
  SB_NOINLINE void LockSlow() noexcept {
    SpinWait spin;
    do {
      // relaxed: only a hint that the lock may be free; the exchange orders.
      for (std::uint32_t pauses = pauses_.first; locked_.Load(memory_order_relaxed) != 0;
           pauses = std::min<std::uint32_t>(2 * pauses, pauses_.most)) {
        spin.Spin(pauses);
      }
      // acquire: pairs with the release in Unlock().
    } while (locked_.Exchange(1, memory_order_acquire) != 0);
  }

  Atomic<std::uint32_t> locked_{0};
  const Pauses pauses_;
};

}  // namespace schedbench::fibers
