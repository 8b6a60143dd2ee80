#pragma once

#include "platform/threads/blocked_call.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/time/blocking_cost.hpp"

#include <cstdint>
#include <map>

namespace schedbench::profile {

// How often threads were seen in each state, at times that do not depend on it: shares of their wall time.
struct BlockedCounts {
  std::uint64_t looks = 0;  // at single threads, where the kernel reported it
  std::uint64_t in_sleep = 0;
  std::uint64_t in_futex = 0;
  std::uint64_t in_other = 0;
  // What the workers spent. Sleeps and waits by functions outside platform are not among them.
  platform::BlockingCost sleeps{};
  platform::BlockingCost futex_waits{};

  std::uint64_t Blocked() const {
    return in_sleep + in_futex + in_other;
  }
};

// Looks at what threads are blocked in, and counts what that costs. One in a process counts at a time. Thread-safe.
class BlockedCalls {
 public:
  ~BlockedCalls() {
    Stop();
  }

  void Attach(int thread);

  // Called before the thread ends.
  void Detach(int thread);

  // Looks at each attached thread once.
  void Look();

  // Forgets what has been seen so far, and counts costs from now on.
  void Restart();

  // Costs are not counted any more.
  void Stop();

  BlockedCounts Counts() const;

 private:
  mutable platform::Mutex mutex_;
  std::map<int, platform::BlockedCall> threads_;  // guarded by mutex_
  BlockedCounts counts_;                          // likewise
  bool counts_costs_ = false;                     // likewise
};

}  // namespace schedbench::profile
