#pragma once

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"

#include <cstdint>
#include <string_view>

// Stands before src/metrics/counter.hpp where it is measured what counting costs. SB_COUNT says what is counted still:
// 1: what WaitIdle relies on; 0: nothing, and WaitIdle must not be called.
namespace schedbench::metrics {

enum class Aggregation : std::uint8_t { kSum, kMax };

template <FixedString Name, FixedString Unit, Aggregation How, FixedString Doc>
class Counter {
 public:
  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kUnit = Unit;
  static constexpr Aggregation kAggregation = How;
  static constexpr std::string_view kDoc = Doc;

  Counter() = default;

  Counter(const Counter& other) noexcept
      : value_(other.Get()) {
  }

  Counter& operator=(const Counter&) = delete;

  SB_ALWAYS_INLINE void Add(std::uint64_t n = 1) noexcept {
    if constexpr (kCounts) {
      // relaxed: one writer; orders nothing.
      value_.Store(value_.Load(memory_order_relaxed) + n, memory_order_relaxed);
    }
  }

  SB_ALWAYS_INLINE void AddRelease(std::uint64_t n = 1) noexcept {
    if constexpr (kCounts) {
      // release: pairs with the acquire in GetAcquire(). relaxed: the owner reads its own value.
      value_.Store(value_.Load(memory_order_relaxed) + n, memory_order_release);
    }
  }

  SB_ALWAYS_INLINE std::uint64_t GetAcquire() const noexcept {
    // acquire: pairs with the release in AddRelease().
    return value_.Load(memory_order_acquire);
  }

  SB_ALWAYS_INLINE std::uint64_t Get() const noexcept {
    // relaxed: a reader wants a recent value.
    return value_.Load(memory_order_relaxed);
  }

 private:
  static constexpr bool kCounts =
      SB_COUNT == 1 && (kName == "tasks_run" || kName == "tasks_submitted" || kName == "ended" ||
                        kName == "spawned");

  Atomic<std::uint64_t> value_{0};
};

}  // namespace schedbench::metrics
