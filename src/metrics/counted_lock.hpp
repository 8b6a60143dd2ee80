#pragma once

#include "metrics/counter.hpp"
#include "platform/threads/mutex.hpp"

namespace schedbench::metrics {

// Holds a mutex for a scope, and counts in `waits`, which the mutex guards, if another thread held
// it. `Lock(mutex)` locks it; its Waited() returns whether it had to wait.
template <typename Lock = platform::MutexLock>
class CountedLock {
 public:
  template <typename Mutex>
  SB_ALWAYS_INLINE CountedLock(Mutex& mutex, Tally& waits) noexcept
      : lock_(mutex) {
    if (lock_.Waited()) [[unlikely]] {
      waits.Add();
    }
  }

 private:
  const Lock lock_;
};

}  // namespace schedbench::metrics
