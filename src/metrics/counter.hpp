#pragma once

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::metrics {

// The way in which the values of several workers become one.
enum class Aggregation : std::uint8_t { kSum, kMax };

// Counts actions of its owner. Only the owner writes it; any thread reads it and sees a recent
// value, never a torn one. Add is a load and a store without a locked instruction.
class Tally {
 public:
  Tally() = default;

  // Takes a snapshot of a tally that may be live.
  Tally(const Tally& other) noexcept
      : value_(other.Get()) {
  }

  Tally& operator=(const Tally&) = delete;

  // Adds `n`. Only the owner calls it.
  SB_ALWAYS_INLINE void Add(std::uint64_t n = 1) noexcept {
    value_.Store(value_.Load(memory_order_relaxed) + n, memory_order_relaxed);
  }

  // Takes back an Add(); a reader may have seen 1 too many. Only the owner calls it.
  void TakeBack() noexcept {
    value_.Store(value_.Load(memory_order_relaxed) - 1, memory_order_relaxed);
  }

  // Adds `n` to a counter that proves something: a thread that reads it with GetAcquire() sees all
  // earlier actions of the owner. Only the owner calls it.
  SB_ALWAYS_INLINE void AddRelease(std::uint64_t n = 1) noexcept {
    // release: pairs with the acquire in GetAcquire(). relaxed: the owner reads its own value.
    value_.Store(value_.Load(memory_order_relaxed) + n, memory_order_release);
  }

  SB_ALWAYS_INLINE std::uint64_t GetAcquire() const noexcept {
    // acquire: pairs with the release in AddRelease().
    return value_.Load(memory_order_acquire);
  }

  SB_ALWAYS_INLINE std::uint64_t Get() const noexcept {
    return value_.Load(memory_order_relaxed);
  }

 private:
  Atomic<std::uint64_t> value_{0};  // relaxed: one writer, and statistics order nothing
};

// One metric of one worker. The line that declares it describes it completely.
template <FixedString Name, FixedString Unit, Aggregation How, FixedString Doc>
class Counter : public Tally {
 public:
  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kUnit = Unit;
  static constexpr Aggregation kAggregation = How;
  static constexpr std::string_view kDoc = Doc;
};

}  // namespace schedbench::metrics
