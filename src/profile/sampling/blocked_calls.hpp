#pragma once

#include "platform/threads/blocked_call.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/time/blocking_cost.hpp"

#include <cstdint>
#include <map>

namespace schedbench::profile {

// Counts of the states of threads at independent times: shares of their wall time.
struct BlockedCounts {
  std::uint64_t looks = 0;  // checks of single threads that the kernel reported
  std::uint64_t in_sleep = 0;
  std::uint64_t in_futex = 0;
  std::uint64_t in_other = 0;
  // Costs of the workers, without sleeps and waits by functions outside platform.
  platform::BlockingCost sleeps{};
  platform::BlockingCost futex_waits{};

  std::uint64_t Blocked() const {
    return in_sleep + in_futex + in_other;
  }
};

// Checks what threads are blocked in, and counts its costs. Only one object in a process counts.
// Thread-safe.
class BlockedCalls {
 public:
  ~BlockedCalls() {
    Stop();
  }

  void Attach(int thread);

  // Called before the thread ends.
  void Detach(int thread);

  // Checks each attached thread once.
  void Look();

  // Forgets what has been seen so far, and counts costs from now on.
  void Restart();

  // Stops counting costs.
  void Stop();

  BlockedCounts Counts() const;

 private:
  mutable platform::Mutex mutex_;
  std::map<int, platform::BlockedCall> threads_;  // guarded by mutex_
  BlockedCounts counts_;                          // guarded by mutex_
  bool counts_costs_ = false;                     // guarded by mutex_
};

}  // namespace schedbench::profile
