#pragma once

#include "base/attributes.hpp"

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

// An atomic variable. All concurrent code of the project uses this type and Cell, never
// std::atomic: so the same source can be compiled against another machine, for example one that
// explores interleavings. It differs from std::atomic in one point: the order does not have a
// default, so each use states its needs. Every method compiles to exactly the code of std::atomic
// (tests/base/atomic/compare_code.sh).
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
    return value_.load(order);
  }

  SB_ALWAYS_INLINE void Store(T value, memory_order order) noexcept {
    value_.store(value, order);
  }

  SB_ALWAYS_INLINE T Exchange(T value, memory_order order) noexcept {
    return value_.exchange(value, order);
  }

  // On failure sets `expected` to the current value.
  SB_ALWAYS_INLINE bool CompareExchange(T& expected, T desired, memory_order success,
                                        memory_order failure) noexcept {
    return value_.compare_exchange_strong(expected, desired, success, failure);
  }

  // May fail although the value is `expected`: for loops only.
  SB_ALWAYS_INLINE bool CompareExchangeWeak(T& expected, T desired, memory_order success,
                                            memory_order failure) noexcept {
    return value_.compare_exchange_weak(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE T FetchAdd(T delta, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_add(delta, order);
  }

  SB_ALWAYS_INLINE T FetchSub(T delta, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_sub(delta, order);
  }

  SB_ALWAYS_INLINE T FetchOr(T bits, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_or(bits, order);
  }

  SB_ALWAYS_INLINE T FetchAnd(T bits, memory_order order) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_and(bits, order);
  }

  // Returns the address for the kernel's futex. The kernel reads it as one relaxed load.
  SB_ALWAYS_INLINE const void* Address() const noexcept {
    return &value_;
  }

 private:
  static_assert(std::atomic<T>::is_always_lock_free);
  std::atomic<T> value_;
};

SB_ALWAYS_INLINE void AtomicFence(memory_order order) noexcept {
  std::atomic_thread_fence(order);
}

// Plain memory that threads pass to each other under a protocol: at any time one writer or any
// number of readers, ordered by some Atomic. The name marks it for readers, and for a machine that
// checks the claim; here it is just the value.
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
