#pragma once

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"
#include "base/spin_wait.hpp"
#include "metrics/counter.hpp"
#include "platform/time/clock.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::metrics {

// A metric that adds up nanoseconds. Its owner starts and stops it; any thread reads it, also while
// it runs. One word holds the sum so far, or, while it runs, the sum minus the time of the start,
// with the top bit set: no reader sees half of a change. Readings never decrease. The owner that
// stops it marks the word (S1), fences (S2) and only then reads the clock. A reader reads the
// clock, fences (R1) and reads the word again (R2). If R2 does not see the mark, R1 precedes S2, so
// the reader's time is the earlier one.
template <FixedString Name, FixedString Doc>
class Stopwatch {
 public:
  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kUnit = "ns";
  static constexpr Aggregation kAggregation = Aggregation::kSum;
  static constexpr std::string_view kDoc = Doc;

  Stopwatch() = default;

  // Takes a snapshot of a stopwatch that may be live; the copy does not run.
  Stopwatch(const Stopwatch& other) noexcept
      : word_(other.Get()) {
  }

  Stopwatch& operator=(const Stopwatch&) = delete;

  // Starts it and returns platform::NowNs(). Requires: stopped. Only the owner calls it.
  std::uint64_t Start() noexcept {
    const std::uint64_t now = platform::NowNs();
    StartAt(now);
    return now;
  }

  // Starts it at the time at which another stopwatch of this thread stopped: saves a clock read.
  void StartAt(std::uint64_t now) noexcept {
    const std::uint64_t sum = word_.Load(memory_order_relaxed);
    word_.Store(((sum - now) & kSum) | kRunning, memory_order_relaxed);
  }

  // Stops it and returns platform::NowNs(). Requires: running. Only the owner calls it.
  std::uint64_t Stop() noexcept {
    const std::uint64_t word = word_.Load(memory_order_relaxed);
    word_.Store(word | kStopping, memory_order_relaxed);  // (S1) relaxed: ordered by the fence
    // seq_cst (S2): pairs with (R1).
    AtomicFence(memory_order_seq_cst);
    const std::uint64_t now = platform::NowNs();
    word_.Store((word + now) & kSum, memory_order_relaxed);
    return now;
  }

  // Returns the sum, after some nanoseconds if the owner is stopping it. Any thread.
  std::uint64_t Get() const noexcept {
    for (SpinWait spin;; spin.Spin()) {
      const std::uint64_t word = word_.Load(memory_order_relaxed);
      if ((word & kRunning) == 0) {
        return word;
      }
      if ((word & kStopping) != 0) {
        continue;
      }
      const std::uint64_t now = platform::NowNs();
      // seq_cst (R1): pairs with (S2).
      AtomicFence(memory_order_seq_cst);
      // relaxed (R2): ordered by the fence.
      if (word_.Load(memory_order_relaxed) == word) {
        return (word + now) & kSum;
      }
    }
  }

 private:
  static constexpr std::uint64_t kRunning = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kStopping = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kSum = kStopping - 1;  // nanoseconds modulo 2^62: 146 years

  Atomic<std::uint64_t> word_{0};  // relaxed: one writer, and readers need only a recent value
};

}  // namespace schedbench::metrics
