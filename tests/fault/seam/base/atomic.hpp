#pragma once

// Stands in the place of src/base/atomic.hpp for the tests under tests/fault: the same names, and at each operation
// something may come between.

#include "base/attributes.hpp"
#include "tests/fault/disturbance.hpp"

#include <atomic>
#include <type_traits>
#include <utility>

namespace schedbench {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

// As src/base/atomic.hpp says.
template <typename T>
class Atomic {
 public:
  constexpr Atomic() noexcept
      : value_(T{}) {
  }

  constexpr explicit Atomic(T value) noexcept
      : value_(value) {
  }

  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  SB_ALWAYS_INLINE T Load(memory_order order) const noexcept {
    const fault::Point point;
    return value_.load(order);
  }

  SB_ALWAYS_INLINE void Store(T value, memory_order order) noexcept {
    const fault::Point point;
    value_.store(value, order);
  }

  SB_ALWAYS_INLINE T Exchange(T value, memory_order order) noexcept {
    const fault::Point point;
    return value_.exchange(value, order);
  }

  // On failure `expected` holds the value that was there.
  SB_ALWAYS_INLINE bool CompareExchange(T& expected, T desired, memory_order success,
                                        memory_order failure) noexcept {
    const fault::Point point;
    return value_.compare_exchange_strong(expected, desired, success, failure);
  }

  // May fail although the value is `expected`: for loops only.
  SB_ALWAYS_INLINE bool CompareExchangeWeak(T& expected, T desired, memory_order success,
                                            memory_order failure) noexcept {
    const fault::Point point;
    if (fault::WeakExchangeFails()) {
      expected = value_.load(failure);
      return false;
    }
    return value_.compare_exchange_weak(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE T FetchAdd(T delta, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    const fault::Point point;
    return value_.fetch_add(delta, order);
  }

  SB_ALWAYS_INLINE T FetchSub(T delta, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    const fault::Point point;
    return value_.fetch_sub(delta, order);
  }

  SB_ALWAYS_INLINE T FetchOr(T bits, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    const fault::Point point;
    return value_.fetch_or(bits, order);
  }

  SB_ALWAYS_INLINE T FetchAnd(T bits, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    const fault::Point point;
    return value_.fetch_and(bits, order);
  }

  // Address of the word for the kernel's futex. The kernel reads it as one relaxed load.
  SB_ALWAYS_INLINE const void* Address() const noexcept {
    return &value_;
  }

 private:
  static_assert(std::atomic<T>::is_always_lock_free);
  std::atomic<T> value_;
};

SB_ALWAYS_INLINE void AtomicFence(memory_order order) noexcept {
  const fault::Point point;
  std::atomic_thread_fence(order);
}

template <typename T>
class Cell {
 public:
  constexpr Cell() noexcept
      : value_() {
  }

  constexpr explicit Cell(T value) noexcept
      : value_(std::move(value)) {
  }

  SB_ALWAYS_INLINE const T& Read() const noexcept {
    return value_;
  }

  SB_ALWAYS_INLINE void Write(T value) noexcept {
    value_ = std::move(value);
  }

 private:
  T value_;
};

}  // namespace schedbench
