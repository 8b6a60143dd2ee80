#pragma once

#include "base/atomic_value.hpp"
#include "base/attributes.hpp"
#include "base/cell.hpp"

#include <atomic>
#include <type_traits>

namespace schedbench {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

// An atomic variable. All concurrent code of the project uses this type and Cell, never
// std::atomic. What they run on is in atomic_value.hpp and cell.hpp. A program whose include path
// has other files of these names compiles the same source against another machine, for example one
// that explores interleavings. Such a machine may want to know the line of each access.
//
// Atomic differs from std::atomic in one point: the order does not have a default, so each use
// states its needs. Every method compiles to exactly the code of std::atomic
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

  SB_ALWAYS_INLINE T Load(memory_order order SB_SITE_PARAMETER) const noexcept {
    return value_.load(order SB_SITE);
  }

  SB_ALWAYS_INLINE void Store(T value, memory_order order SB_SITE_PARAMETER) noexcept {
    value_.store(value, order SB_SITE);
  }

  SB_ALWAYS_INLINE T Exchange(T value, memory_order order SB_SITE_PARAMETER) noexcept {
    return value_.exchange(value, order SB_SITE);
  }

  // On failure sets `expected` to the current value.
  SB_ALWAYS_INLINE bool CompareExchange(T& expected, T desired, memory_order success,
                                        memory_order failure SB_SITE_PARAMETER) noexcept {
    return value_.compare_exchange_strong(expected, desired, success, failure SB_SITE);
  }

  // May fail although the value is `expected`: for loops only.
  SB_ALWAYS_INLINE bool CompareExchangeWeak(T& expected, T desired, memory_order success,
                                            memory_order failure SB_SITE_PARAMETER) noexcept {
    return value_.compare_exchange_weak(expected, desired, success, failure SB_SITE);
  }

  SB_ALWAYS_INLINE T FetchAdd(T delta, memory_order order SB_SITE_PARAMETER) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_add(delta, order SB_SITE);
  }

  SB_ALWAYS_INLINE T FetchSub(T delta, memory_order order SB_SITE_PARAMETER) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_sub(delta, order SB_SITE);
  }

  SB_ALWAYS_INLINE T FetchOr(T bits, memory_order order SB_SITE_PARAMETER) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_or(bits, order SB_SITE);
  }

  SB_ALWAYS_INLINE T FetchAnd(T bits, memory_order order SB_SITE_PARAMETER) noexcept
    requires std::is_integral_v<T>
  {
    return value_.fetch_and(bits, order SB_SITE);
  }

  // Returns the word for a futex call. The kernel reads it as one relaxed load.
  SB_ALWAYS_INLINE const AtomicValue<T>& Value() const noexcept {
    return value_;
  }

 private:
  static_assert(std::atomic<T>::is_always_lock_free);
  AtomicValue<T> value_;
};

}  // namespace schedbench

#undef SB_SITE_PARAMETER
#undef SB_SITE
