#pragma once

#include "base/atomic.hpp"
#include "base/fixed_string.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::metrics {

// How the values of several workers become one.
enum class Aggregation : std::uint8_t { kSum, kMax };

// Counts what its owner does. Written by its owner only, read by any thread: a reader may see a value that is a moment old,
// never a torn one. Add is a load and a store, no locked instruction.
class Tally {
 public:
  Tally() = default;

  // A snapshot of one that may be live.
  Tally(const Tally& other) noexcept
      : value_(other.Get()) {
  }

  Tally& operator=(const Tally&) = delete;

  // Owner only.
  SB_ALWAYS_INLINE void Add(std::uint64_t n = 1) noexcept {
    // relaxed: statistics order nothing; one writer, so that no update is lost.
    value_.Store(value_.Load(memory_order_relaxed) + n, memory_order_relaxed);
  }

  // Owner only: takes back an Add(), of which a reader may have seen 1 too many meanwhile.
  void TakeBack() noexcept {
    // relaxed: as in Add().
    value_.Store(value_.Load(memory_order_relaxed) - 1, memory_order_relaxed);
  }

  // Owner only. For a counter that proves something: a thread that reads it with GetAcquire() sees all that the owner did
  // before.
  SB_ALWAYS_INLINE void AddRelease(std::uint64_t n = 1) noexcept {
    // release: pairs with the acquire in GetAcquire(). relaxed: the owner reads its own value.
    value_.Store(value_.Load(memory_order_relaxed) + n, memory_order_release);
  }

  SB_ALWAYS_INLINE std::uint64_t GetAcquire() const noexcept {
    // acquire: pairs with the release in AddRelease().
    return value_.Load(memory_order_acquire);
  }

  SB_ALWAYS_INLINE std::uint64_t Get() const noexcept {
    // relaxed: a reader needs a recent value, and nothing that depends on it.
    return value_.Load(memory_order_relaxed);
  }

 private:
  Atomic<std::uint64_t> value_{0};
};

// One metric of one worker: the line that declares it says all there is to say about it.
template <FixedString Name, FixedString Unit, Aggregation How, FixedString Doc>
class Counter : public Tally {
 public:
  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kUnit = Unit;
  static constexpr Aggregation kAggregation = How;
  static constexpr std::string_view kDoc = Doc;
};

}  // namespace schedbench::metrics
