#pragma once

#include "metrics/counter.hpp"
#include "platform/threads/mutex.hpp"

namespace schedbench::metrics {

// Holds a mutex from construction to the end of the scope, and counts if another thread held it at first. `waits` is guarded by
// that mutex. `Lock(mutex)` holds it; Waited() returns whether it had to wait.
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
