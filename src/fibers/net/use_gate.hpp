#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Counts the operations that use a descriptor, so that its number is freed only after the last of
// them: the system gives a freed number to the next descriptor at once. The word holds twice the
// number of uses, plus 1 once closed. (I1) A closed gate admits no use, so the count falls to 0
// once. (I2) Close() counts as a use until its caller leaves.
class UseGate {
 public:
  // Starts a use. Returns false if the gate is closed. Any thread.
  bool TryEnter() noexcept {
    std::uint32_t word = word_.Load(memory_order_relaxed);
    do {
      if ((word & kClosed) != 0) {
        return false;
      }
      // acquire: pairs with the release in Open(). relaxed: a failure retries.
    } while (
        !word_.CompareExchangeWeak(word, word + kUse, memory_order_acquire, memory_order_relaxed));
    return true;
  }

  // Ends a use. Returns true for the last use of a closed gate: the caller frees the number.
  [[nodiscard]] bool Leave() noexcept {
    // release: pairs with the acquire of the last use; all are over then. acquire: the same pair.
    return word_.FetchSub(kUse, memory_order_acq_rel) == (kUse | kClosed);
  }

  // Closes the gate and starts a use by the caller. Returns false if it was closed. Any thread.
  bool Close() noexcept {
    std::uint32_t word = word_.Load(memory_order_relaxed);
    do {
      if ((word & kClosed) != 0) {
        return false;
      }
      // acquire: pairs with the release in Open(). relaxed: a failure retries.
    } while (!word_.CompareExchangeWeak(word, (word + kUse) | kClosed, memory_order_acquire,
                                        memory_order_relaxed));
    return true;
  }

  // Opens the gate anew. Requires: closed and unused.
  void Open() noexcept {
    // release: pairs with the acquire in TryEnter() and Close().
    word_.Store(0, memory_order_release);
  }

  // Returns whether Close() was called.
  bool IsClosed() const noexcept {
    // relaxed: a hint; TryEnter() decides.
    return (word_.Load(memory_order_relaxed) & kClosed) != 0;
  }

  // Returns whether no use is left and none can start. `true` is exact.
  bool IsUnused() const noexcept {
    // acquire: pairs with the release in Leave().
    return word_.Load(memory_order_acquire) == kClosed;
  }

 private:
  static constexpr std::uint32_t kClosed = 1;
  static constexpr std::uint32_t kUse = 2;

  Atomic<std::uint32_t> word_{kClosed};  // relaxed: an exchange checks what was read
};

}  // namespace schedbench::fibers
