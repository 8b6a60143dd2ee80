#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "fibers/sync/event.hpp"
#include "platform/memory/safe_read.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Waits until a number of things are done. Fibers and threads may wait; any thread or fiber may
// call Done(). It is a counter and an Event that fires when the counter falls to 0. Wait() reads
// only the event, and firing is the last access of the last Done(): a waiter may destroy the
// WaitGroup. A new round may start (Add from 0) when all Done() or a later Wait() have returned.
class WaitGroup {
 public:
  // Raises the count by `count`: this many Done() will follow. Requires: no Done() of these has
  // started, and no fiber or thread waits if the count is 0.
  void Add(std::uint64_t count) noexcept {
    if (count == 0) {
      return;
    }
    // relaxed: the caller orders it before the work that calls Done() and before Wait().
    if (count_.FetchAdd(count, memory_order_relaxed) == 0) {
      event_.Reset();
    }
  }

  // Lowers the count by one; at 0 all waiters resume. Any thread.
  void Done() noexcept {
    // release: pairs with the acquire of the last Done(), which fires for all. acquire: that pair.
    const std::uint64_t before = count_.FetchSub(1, memory_order_acq_rel);
    SB_ASSERT(before != 0, "Done without Add");
    if (before == 1) {
      event_.Fire();
    }
  }

  // Waits until the count is 0, and sees all writes before each Done(). Suspends a fiber, blocks a
  // thread.
  void Wait() noexcept {
    event_.WaitAs({.kind = WaitKind::kWaitGroup, .object = this});
  }

  // Waits at most until `deadline`. Returns whether the count is 0.
  bool WaitUntil(Deadline deadline) noexcept {
    return event_.WaitUntilAs(deadline, {.kind = WaitKind::kWaitGroup, .object = this});
  }

  // Waits at most for `time` from now. Returns whether the count is 0.
  bool WaitFor(std::chrono::nanoseconds time) noexcept {
    return WaitUntil(Deadline::In(time));
  }

  // Returns a recent count. For reports: `group` may be gone. Async-signal-safe.
  static std::uint64_t CountOf(const WaitGroup* group) noexcept {
    std::uint64_t count = 0;
    platform::SafeRead(reinterpret_cast<std::uintptr_t>(&group->count_), count);
    return count;
  }

 private:
  Atomic<std::uint64_t> count_{0};
  Event event_{Event::State::kFired};
};

}  // namespace schedbench::fibers
