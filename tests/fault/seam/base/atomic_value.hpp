#pragma once

// Replaces src/base/atomic_value.hpp in the tests under tests/fault: at each operation something
// may come between.

#include "base/attributes.hpp"
#include "tests/fault/disturbance.hpp"

#include <atomic>

#define SB_SITE_PARAMETER
#define SB_SITE

namespace schedbench {

template <typename T>
class AtomicValue {
 public:
  constexpr explicit AtomicValue(T value) noexcept
      : value_(value) {
  }

  SB_ALWAYS_INLINE T load(std::memory_order order) const noexcept {
    const fault::Point point;
    return value_.load(order);
  }

  SB_ALWAYS_INLINE void store(T value, std::memory_order order) noexcept {
    const fault::Point point;
    value_.store(value, order);
  }

  SB_ALWAYS_INLINE T exchange(T value, std::memory_order order) noexcept {
    const fault::Point point;
    return value_.exchange(value, order);
  }

  SB_ALWAYS_INLINE bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                                std::memory_order failure) noexcept {
    const fault::Point point;
    return value_.compare_exchange_strong(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                                              std::memory_order failure) noexcept {
    const fault::Point point;
    if (fault::WeakExchangeFails()) {
      expected = value_.load(failure);
      return false;
    }
    return value_.compare_exchange_weak(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE T fetch_add(T delta, std::memory_order order) noexcept {
    const fault::Point point;
    return value_.fetch_add(delta, order);
  }

  SB_ALWAYS_INLINE T fetch_sub(T delta, std::memory_order order) noexcept {
    const fault::Point point;
    return value_.fetch_sub(delta, order);
  }

  SB_ALWAYS_INLINE T fetch_or(T bits, std::memory_order order) noexcept {
    const fault::Point point;
    return value_.fetch_or(bits, order);
  }

  SB_ALWAYS_INLINE T fetch_and(T bits, std::memory_order order) noexcept {
    const fault::Point point;
    return value_.fetch_and(bits, order);
  }

 private:
  std::atomic<T> value_;
};

SB_ALWAYS_INLINE void AtomicFence(std::memory_order order) noexcept {
  const fault::Point point;
  std::atomic_thread_fence(order);
}

}  // namespace schedbench
