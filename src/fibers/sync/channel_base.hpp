#pragma once

#include "executors/hint.hpp"
#include "fibers/sync/spin_lock.hpp"
#include "fibers/sync/waiter.hpp"

namespace schedbench::fibers {

struct ChannelWaiter : Waiter {
  bool closed = false;  // the channel was closed while this waited
};

// The part of a channel that a Select needs, for any type of value. With a buffer, a fiber sends or
// receives many values before it waits, so the lock pauses for long. Without a buffer, each value
// suspends a fiber, and a long pause only delays the next value.
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
