#pragma once

#include "executors/hint.hpp"
#include "fibers/sync/spin_lock.hpp"
#include "fibers/sync/waiter.hpp"

namespace schedbench::fibers {

struct ChannelWaiter : Waiter {
  bool closed = false;  // was resumed because the channel was closed
};

// What a Select needs of a channel of any type.
//
// With a buffer a fiber sends or receives many values before it must wait, so that the lock pauses for long. Without one
// each value suspends a fiber, and a long pause only delays the next.
class ChannelBase {
 public:
  ChannelBase(const ChannelBase&) = delete;
  ChannelBase& operator=(const ChannelBase&) = delete;

 protected:
  ChannelBase(executors::SchedulerHint wake, bool buffered) noexcept
      : wake_(wake),
        lock_(buffered ? SpinLock::kLong : SpinLock::kShort) {
  }

  ~ChannelBase() = default;

  const executors::SchedulerHint wake_;
  SpinLock lock_;
  // All guarded by lock_.
  bool closed_ = false;
  Waiters senders_;
  Waiters receivers_;

 private:
  friend class SelectCase;
};

}  // namespace schedbench::fibers
