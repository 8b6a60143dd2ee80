#pragma once

#include <cstdint>
#include <string_view>

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"
#include "metrics/counter.hpp"
#include "platform/clock.hpp"

namespace schedbench::metrics {

// A metric that adds up nanoseconds: started and stopped by its owner, read by anybody, also while it runs.
//
// One word holds the sum so far, or, while it runs, the sum minus the time of the start, with the top bit
// set: each step is a single store, so that no reader sees one half of it, and readings never go back.
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

  // Owner only; not while it runs.
  void Start() noexcept {
    // relaxed: as in Counter.
    const std::uint64_t sum = word_.Load(memory_order_relaxed);
    word_.Store(((sum - platform::NowNs()) & ~kRunning) | kRunning, memory_order_relaxed);
  }

  // Owner only; while it runs.
  void Stop() noexcept {
    // relaxed: as in Counter.
    word_.Store(Get(), memory_order_relaxed);
  }

  // Any thread.
  std::uint64_t Get() const noexcept {
    for (;;) {
      // relaxed: as in Counter.
      const std::uint64_t word = word_.Load(memory_order_relaxed);
      if ((word & kRunning) == 0) {
        return word;
      }
      const std::uint64_t now = platform::NowNs();
      // seq_cst: pairs with the clock, not with a thread: keeps the second look behind the reading of the clock. If it still runs then,
      // it ran at `now`, and what it will have summed up when it stops is not less than what we return.
      AtomicFence(memory_order_seq_cst);
      // relaxed: as in Counter.
      if (word_.Load(memory_order_relaxed) == word) {
        return (word + now) & ~kRunning;
      }
    }
  }

 private:
  static constexpr std::uint64_t kRunning = std::uint64_t{1} << 63U;

  Atomic<std::uint64_t> word_{0};
};

}  // namespace schedbench::metrics
