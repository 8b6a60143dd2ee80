#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// Whether the worker's thread is in a short blocking call, and in which one. The thread ends the
// call, or another thread takes over the worker: the exchange of one of them succeeds.
class CallWord {
 public:
  // The thread of the worker begins a call. Returns its number, which is odd.
  std::uint64_t Begin() noexcept {
    // relaxed: the thread has the worker, and so the latest value.
    const std::uint64_t call = word_.Load(memory_order_relaxed) + 1;
    // release: pairs with the acquire in TryEnd() of a thread that takes over.
    word_.Store(call, memory_order_release);
    return call;
  }

  // Ends `call`. True: the caller has the worker. False: another thread was first.
  bool TryEnd(std::uint64_t call) noexcept {
    // acquire: pairs with the release in Begin(). relaxed: on failure nothing is taken.
    return word_.CompareExchange(call, call + 1, memory_order_acquire, memory_order_relaxed);
  }

  // Returns the call that the thread is in, or an even number. Any thread; a recent value.
  std::uint64_t Get() const noexcept {
    // relaxed: TryEnd() checks it.
    return word_.Load(memory_order_relaxed);
  }

  static constexpr bool IsCall(std::uint64_t word) noexcept {
    return word % 2 == 1;
  }

 private:
  Atomic<std::uint64_t> word_{0};
};

}  // namespace schedbench::schedulers
