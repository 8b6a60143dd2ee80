#pragma once

#include "executors/hint.hpp"
#include "fibers/sync/spin_lock.hpp"
#include "fibers/sync/waiter.hpp"

namespace schedbench::fibers {

struct ChannelWaiter : Waiter {
  bool closed = false;  // was resumed because the channel was closed
};

// What a Select needs of a channel of any type.
class ChannelBase {
 public:
  ChannelBase(const ChannelBase&) = delete;
  ChannelBase& operator=(const ChannelBase&) = delete;

 protected:
  explicit ChannelBase(executors::SchedulerHint wake) noexcept
      : wake_(wake) {
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
