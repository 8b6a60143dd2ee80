#include "profile/sampling/blocked_calls.hpp"

namespace schedbench::profile {

void BlockedCalls::Attach(int thread) {
  const platform::MutexLock lock(mutex_);
  threads_.try_emplace(thread, thread);
}

void BlockedCalls::Detach(int thread) {
  const platform::MutexLock lock(mutex_);
  threads_.erase(thread);
}

void BlockedCalls::Look() {
  const platform::MutexLock lock(mutex_);
  for (const auto& [number, thread] : threads_) {
    const auto blocked = thread.Look();
    if (!blocked) {
      continue;
    }
    ++counts_.looks;
    counts_.in_sleep += *blocked == platform::BlockedIn::kSleep ? 1 : 0;
    counts_.in_futex += *blocked == platform::BlockedIn::kFutex ? 1 : 0;
    counts_.in_other += *blocked == platform::BlockedIn::kOther ? 1 : 0;
  }
}

void BlockedCalls::Restart() {
  const platform::MutexLock lock(mutex_);
  counts_ = {};
  counts_costs_ = true;
  platform::CountBlockingCosts(true);
}

void BlockedCalls::Stop() {
  const platform::MutexLock lock(mutex_);
  if (counts_costs_) {
    counts_costs_ = false;
    platform::CountBlockingCosts(false);
    counts_.sleeps = platform::CountedBlockingCost(platform::BlockingCall::kSleep);
    counts_.futex_waits = platform::CountedBlockingCost(platform::BlockingCall::kFutexWait);
  }
}

BlockedCounts BlockedCalls::Counts() const {
  const platform::MutexLock lock(mutex_);
  return counts_;
}

}  // namespace schedbench::profile
