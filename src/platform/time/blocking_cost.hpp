#pragma once

#include <cstdint>

namespace schedbench::platform {

// Calls by which this process blocks its threads.
enum class BlockingCall : std::uint8_t {
  kSleep,     // SleepForNs(), SleepUntilNs()
  kFutexWait  // FutexWait(), FutexWaitFor(), if a wake-up ended it
};

// What such calls have cost so far, while costs were counted: CPU time in the kernel, to block the thread and to continue it.
struct BlockingCost {
  std::uint64_t calls = 0;
  std::uint64_t cpu_ns = 0;
};

// Calls of the calling thread are counted from now on, while costs are counted.
void CountBlockingCostsOfThisThread() noexcept;

// Starts to count the costs of such threads from 0, or stops. A counted call takes two more system calls, some 400 ns. Any thread, one
// at a time.
void CountBlockingCosts(bool count) noexcept;

// Returns what was counted since the last start. Any thread.
BlockingCost CountedBlockingCost(BlockingCall call) noexcept;

// Measures the calling thread from here to Count().
class BlockingCostScope {
 public:
  BlockingCostScope() noexcept;

  // The thread has blocked in this call, and continues. Does nothing where costs are not counted.
  void Count(BlockingCall call) const noexcept;

 private:
  const std::uint64_t generation_;  // even: costs are not counted
  std::uint64_t begin_cpu_ns_ = 0;
};

}  // namespace schedbench::platform
