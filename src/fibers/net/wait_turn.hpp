#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Admits one operation at a time to the slot of its direction. It also finds out whether another
// operation has waited there since this one tried its system call: that one took the events that
// this one would wait for. The word counts starts and ends, so it is odd during a wait.
class WaitTurn {
 public:
  enum class Begin : std::uint8_t {
    kDone,   // the caller may wait until it calls End()
    kAgain,  // another operation has waited: repeat the system call
    kBusy,   // another operation may wait now
  };

  // Returns the argument of TryBegin(). Call it before the system call.
  std::uint32_t Look() const noexcept {
    // acquire: pairs with the release in End(); the call sees the effects of the last wait.
    return word_.Load(memory_order_acquire);
  }

  // Starts a turn. If another one has started since `seen`, only updates `seen`.
  Begin TryBegin(std::uint32_t& seen) noexcept {
    if (seen % 2 != 0) {
      seen = Look();
      return seen % 2 != 0 ? Begin::kBusy : Begin::kAgain;
    }
    // acquire: pairs with the release in End(); acquire on failure too, for the next call.
    if (word_.CompareExchange(seen, seen + 1, memory_order_acquire, memory_order_acquire)) {
      return Begin::kDone;
    }
    return seen % 2 != 0 ? Begin::kBusy : Begin::kAgain;
  }

  // Ends the turn. The operation that has it calls this.
  void End() noexcept {
    // relaxed: the only writer now. release: pairs with the acquire in Look() and TryBegin().
    word_.Store(word_.Load(memory_order_relaxed) + 1, memory_order_release);
  }

 private:
  Atomic<std::uint32_t> word_{0};  // relaxed: the operation that has the turn is the only writer
};

}  // namespace schedbench::fibers
