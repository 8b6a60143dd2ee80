#pragma once

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"
#include "base/spin_wait.hpp"
#include "metrics/counter.hpp"
#include "platform/time/clock.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::metrics {

// A metric that adds up nanoseconds: started and stopped by its owner, read by any thread, also while it runs.
//
// One word holds the sum so far, or, while it runs, the sum minus the time of the start, with the top bit
// set: no reader sees one half of a change. Readings never go back: before the owner reads the clock to stop, it
// marks the word (S1), fences (S2) and only then looks at the clock. A reader looks at the clock, fences (R1) and
// looks at the word again (R2). If R2 does not see the mark, R1 comes before S2, so that the reader's time is
// the earlier one.
template <FixedString Name, FixedString Doc>
class Stopwatch {
 public:
  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kUnit = "ns";
  static constexpr Aggregation kAggregation = Aggregation::kSum;
  static constexpr std::string_view kDoc = Doc;

  Stopwatch() = default;

  // A snapshot of a stopwatch that may be live; it does not run on.
  Stopwatch(const Stopwatch& other) noexcept
      : word_(other.Get()) {
  }

  Stopwatch& operator=(const Stopwatch&) = delete;

  // Owner only; not while it runs. Returns platform::NowNs().
  std::uint64_t Start() noexcept {
    const std::uint64_t now = platform::NowNs();
    StartAt(now);
    return now;
  }

  // The same, from a time that another stopwatch of this thread has just stopped at: a look at the clock less.
  void StartAt(std::uint64_t now) noexcept {
    // relaxed: as in Counter.
    const std::uint64_t sum = word_.Load(memory_order_relaxed);
    word_.Store(((sum - now) & kSum) | kRunning, memory_order_relaxed);
  }

  // Owner only; while it runs. Returns platform::NowNs().
  std::uint64_t Stop() noexcept {
    // relaxed: as in Counter.
    const std::uint64_t word = word_.Load(memory_order_relaxed);
    word_.Store(word | kStopping, memory_order_relaxed);  // (S1) relaxed: ordered by the fence
    // seq_cst (S2): pairs with (R1).
    AtomicFence(memory_order_seq_cst);
    const std::uint64_t now = platform::NowNs();
    // relaxed: as in Counter.
    word_.Store((word + now) & kSum, memory_order_relaxed);
    return now;
  }

  // Any thread. Waits for an owner that is about to stop it, some nanoseconds.
  std::uint64_t Get() const noexcept {
    for (SpinWait spin;; spin.Spin()) {
      // relaxed: as in Counter.
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

  Atomic<std::uint64_t> word_{0};
};

}  // namespace schedbench::metrics
