#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Admits one operation at a time to the slot of its direction. It also finds out whether another
// operation has waited there since this one tried its system call: that one took the events that
// this one would wait for. It remembers whether the last read has left nothing (kEmpty): the next
// one then waits without a system call that would fail.
//
// The word: kEmpty, kWaits while an operation has the turn, and above them the number of turns.
// (T1) Only the operation that has the turn takes events. (T2) With kEmpty, no operation has taken
// an event since the system call that found the socket empty. So all later bytes have an event that
// is still in the slot, or comes. TryBegin() clears kEmpty, and TrySetEmpty() fails if a turn has
// started since its caller read the word.
class WaitTurn {
 public:
  enum class Begin : std::uint8_t {
    kDone,   // the caller may wait until it calls End()
    kAgain,  // another operation has waited or found nothing: repeat the system call
    kBusy,   // another operation may wait now
  };

  // Returns the argument of the other calls. Call it before the system call.
  std::uint32_t Look() const noexcept {
    // acquire: pairs with the release in End(); the call sees the effects of the last wait.
    return word_.Load(memory_order_acquire);
  }

  // Returns whether the system call would find nothing. `seen`: the result of Look().
  static bool IsEmpty(std::uint32_t seen) noexcept {
    return (seen & kEmpty) != 0;
  }

  // Starts a turn. If another one has started since `seen`, only updates `seen`.
  Begin TryBegin(std::uint32_t& seen) noexcept {
    if ((seen & kWaits) != 0) {
      seen = Look();
      return (seen & kWaits) != 0 ? Begin::kBusy : Begin::kAgain;
    }
    const std::uint32_t next = (seen & ~kEmpty) | kWaits;
    // acquire: pairs with the release in End(); acquire on failure too, for the next call.
    if (word_.CompareExchange(seen, next, memory_order_acquire, memory_order_acquire)) {
      return Begin::kDone;
    }
    return (seen & kWaits) != 0 ? Begin::kBusy : Begin::kAgain;
  }

  // Ends the turn. `empty`: the last system call has left nothing. The operation that has it calls
  // this.
  void End(bool empty) noexcept {
    // relaxed: the only writer now. release: pairs with the acquire in Look() and TryBegin().
    word_.Store((word_.Load(memory_order_relaxed) & ~kWaits) + kTurn + (empty ? kEmpty : 0),
                memory_order_release);
  }

  // Sets kEmpty after a system call without a turn, if no turn has started since `seen`.
  void TrySetEmpty(std::uint32_t seen) noexcept {
    if ((seen & kWaits) == 0) {
      // relaxed: kEmpty only spares a call. What the call has read is not passed on by this word.
      word_.CompareExchange(seen, seen | kEmpty, memory_order_relaxed, memory_order_relaxed);
    }
  }

  // Clears kEmpty for a new descriptor. Requires: no operation uses it.
  void Open() noexcept {
    // relaxed: the caller orders it before all uses.
    word_.Store(word_.Load(memory_order_relaxed) & ~kEmpty, memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t kEmpty = 1;
  static constexpr std::uint32_t kWaits = 2;
  static constexpr std::uint32_t kTurn = 4;

  Atomic<std::uint32_t> word_{0};  // relaxed: the operation that has the turn is the only writer
};

}  // namespace schedbench::fibers
