#pragma once

#include "base/atomic_hook.hpp"
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

// An atomic variable. All concurrent code of the project uses this type and Cell below, never
// std::atomic. What they are made of comes from base/atomic_hook.hpp: a program that puts another
// file of that name before it compiles the same source for another machine, for example one that
// explores interleavings.
//
// It differs from std::atomic in one point: the order has no default, so that each site says what
// it needs. Every method compiles to what std::atomic gives (tests/base/atomic/compare_code.sh).
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

  SB_ALWAYS_INLINE T Load(memory_order order, CallSite where = CallSite::current()) const noexcept {
    [[maybe_unused]] const AccessHook hook(Access::kRead, this, where);
    return value_.load(order);
  }

  SB_ALWAYS_INLINE void Store(T value, memory_order order,
                              CallSite where = CallSite::current()) noexcept {
    [[maybe_unused]] const AccessHook hook(Access::kWrite, this, where);
    value_.store(value, order);
  }

  SB_ALWAYS_INLINE T Exchange(T value, memory_order order,
                              CallSite where = CallSite::current()) noexcept {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.exchange(value, order);
  }

  // On failure `expected` holds the value that was there.
  SB_ALWAYS_INLINE bool CompareExchange(T& expected, T desired, memory_order success,
                                        memory_order failure,
                                        CallSite where = CallSite::current()) noexcept {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.compare_exchange_strong(expected, desired, success, failure);
  }

  // May fail although the value is `expected`: for loops only.
  SB_ALWAYS_INLINE bool CompareExchangeWeak(T& expected, T desired, memory_order success,
                                            memory_order failure,
                                            CallSite where = CallSite::current()) noexcept {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.compare_exchange_weak(expected, desired, success, failure);
  }

  SB_ALWAYS_INLINE T FetchAdd(T delta, memory_order order,
                              CallSite where = CallSite::current()) noexcept
    requires std::is_integral_v<T>
  {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.fetch_add(delta, order);
  }

  SB_ALWAYS_INLINE T FetchSub(T delta, memory_order order,
                              CallSite where = CallSite::current()) noexcept
    requires std::is_integral_v<T>
  {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.fetch_sub(delta, order);
  }

  SB_ALWAYS_INLINE T FetchOr(T bits, memory_order order,
                             CallSite where = CallSite::current()) noexcept
    requires std::is_integral_v<T>
  {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.fetch_or(bits, order);
  }

  SB_ALWAYS_INLINE T FetchAnd(T bits, memory_order order,
                              CallSite where = CallSite::current()) noexcept
    requires std::is_integral_v<T>
  {
    [[maybe_unused]] const AccessHook hook(Access::kModify, this, where);
    return value_.fetch_and(bits, order);
  }

  // The word for a futex call. The kernel reads it as one relaxed load.
  SB_ALWAYS_INLINE const AtomicValue<T>& Word() const noexcept {
    return value_;
  }

 private:
  AtomicValue<T> value_;
};

SB_ALWAYS_INLINE void AtomicFence(memory_order order,
                                  CallSite where = CallSite::current()) noexcept {
  [[maybe_unused]] const AccessHook hook(Access::kFence, nullptr, where);
  ThreadFence(order);
}

// Plain memory that threads hand to each other under a protocol: at any time either one writer or
// any number of readers, ordered by some Atomic. The name marks it for readers and for a machine
// that checks the claim; here it is just the value.
template <typename T>
class Cell {
 public:
  constexpr Cell() noexcept
      : value_() {
  }

  constexpr explicit Cell(T value) noexcept
      : value_(std::move(value)) {
  }

  SB_ALWAYS_INLINE const T& Read(CallSite where = CallSite::current()) const noexcept {
    hook_.BeforeRead(where);
    return value_;
  }

  SB_ALWAYS_INLINE void Write(T value, CallSite where = CallSite::current()) noexcept {
    hook_.BeforeWrite(where);
    value_ = std::move(value);
  }

 private:
  [[no_unique_address]] CellHook hook_;
  T value_;
};

}  // namespace schedbench
