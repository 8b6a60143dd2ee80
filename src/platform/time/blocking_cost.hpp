#pragma once

#include <cstdint>

namespace schedbench::platform {

// Calls with which this process blocks its threads.
enum class BlockingCall : std::uint8_t {
  kSleep,     // SleepForNs(), SleepUntilNs()
  kFutexWait  // FutexWait(), FutexWaitFor(), if a wake ended it
};

// The counted cost of such calls: CPU time in the kernel to block the thread and to continue it.
struct BlockingCost {
  std::uint64_t calls = 0;
  std::uint64_t cpu_ns = 0;
};

// Counts calls of the calling thread from now on, while costs are counted.
void CountBlockingCostsOfThisThread() noexcept;

// Starts to count the costs of such threads from 0, or stops. A counted call takes two more system
// calls, some 400 ns. Any thread, one at a time.
void CountBlockingCosts(bool count) noexcept;

// Returns the counts since the last start. Any thread.
BlockingCost CountedBlockingCost(BlockingCall call) noexcept;

// Measures the calling thread from its construction to Count().
class BlockingCostScope {
 public:
  BlockingCostScope() noexcept;

  // Counts that the thread has blocked in this call and continues, if costs are counted.
  void Count(BlockingCall call) const noexcept;

 private:
  const std::uint64_t generation_;  // even if costs are not counted
  std::uint64_t begin_cpu_ns_ = 0;
};

}  // namespace schedbench::platform
