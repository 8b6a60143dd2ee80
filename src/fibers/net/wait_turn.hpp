#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Admits one operation at a time to the slot of its direction, and finds out whether another one has waited there since an
// operation tried its system call: that one has taken the events that this one would wait for.
//
// The word counts begins and ends: it is odd while an operation may wait.
class WaitTurn {
 public:
  enum class Begin : std::uint8_t {
    kDone,   // the caller may wait until it calls End()
    kAgain,  // another one has waited meanwhile: call the system again
    kBusy,   // another one may wait now
  };

  // Returns what TryBegin() needs. Before the system call.
  std::uint32_t Look() const noexcept {
    // acquire: pairs with the release in End(): the call sees what the last one that waited has left.
    return word_.Load(memory_order_acquire);
  }

  // Begins a turn unless another one has begun since `seen` was read. Writes what Look() returns otherwise.
  Begin TryBegin(std::uint32_t& seen) noexcept {
    if (seen % 2 != 0) {
      seen = Look();
      return seen % 2 != 0 ? Begin::kBusy : Begin::kAgain;
    }
    // acquire: pairs with the release in End(). acquire on failure: likewise, for the next call.
    if (word_.CompareExchange(seen, seen + 1, memory_order_acquire, memory_order_acquire)) {
      return Begin::kDone;
    }
    return seen % 2 != 0 ? Begin::kBusy : Begin::kAgain;
  }

  // Ends the turn. By the operation that has it.
  void End() noexcept {
    // relaxed: nothing else writes to the word during a turn. release: pairs with the acquire in Look() and TryBegin().
    word_.Store(word_.Load(memory_order_relaxed) + 1, memory_order_release);
  }

 private:
  Atomic<std::uint32_t> word_{0};
};

}  // namespace schedbench::fibers
