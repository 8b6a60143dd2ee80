#pragma once

// Replaces src/base/atomic.hpp in programs whose time is simulated: the same names and layout, and
// a call of the Machine before each operation.

#include "base/attributes.hpp"
#include "simulation/machine/machine.hpp"

#include <atomic>
#include <cstring>
#include <type_traits>
#include <utility>

namespace schedbench {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

template <typename T>
class Atomic {
  using Place = sim_scaling::Place;

 public:
  constexpr Atomic() noexcept
      : value_(T{}) {
  }

  constexpr explicit Atomic(T value) noexcept
      : value_(value) {
  }

  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T Load(memory_order /*order*/, Place where = Place::current()) const noexcept {
    Machine().Read(this, where);
    return value_;
  }

  void Store(T value, memory_order /*order*/, Place where = Place::current()) noexcept {
    Machine().Write(this, where);
    // A store of a WorkerActivity announces what a worker does.
    if constexpr (requires { T::kSteal; }) {
      Machine().SetSearching(value == T::kSteal || value == T::kSearch);
    }
    value_ = value;
  }

  T Exchange(T value, memory_order /*order*/, Place where = Place::current()) noexcept {
    Machine().Modify(this, where);
    return std::exchange(value_, value);
  }

  bool CompareExchange(T& expected, T desired, memory_order /*success*/, memory_order /*failure*/,
                       Place where = Place::current()) noexcept {
    Machine().Modify(this, where);
    if (std::memcmp(&value_, &expected, sizeof(T)) != 0) {
      expected = value_;
      return false;
    }
    value_ = desired;
    return true;
  }

  bool CompareExchangeWeak(T& expected, T desired, memory_order success, memory_order failure,
                           Place where = Place::current()) noexcept {
    return CompareExchange(expected, desired, success, failure, where);
  }

  T FetchAdd(T delta, memory_order /*order*/, Place where = Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ + delta));
  }

  T FetchSub(T delta, memory_order /*order*/, Place where = Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ - delta));
  }

  T FetchOr(T bits, memory_order /*order*/, Place where = Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ | bits));
  }

  T FetchAnd(T bits, memory_order /*order*/, Place where = Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ & bits));
  }

  const void* Address() const noexcept {
    return this;
  }

 private:
  static sim_scaling::Machine& Machine() noexcept {
    return sim_scaling::Machine::Instance();
  }

  T value_;
};

inline void AtomicFence(memory_order /*order*/,
                        sim_scaling::Place where = sim_scaling::Place::current()) noexcept {
  sim_scaling::Machine::Instance().Fence(where);
}

// Plain memory. Its accesses cost nothing: the constants of plain work include the time of a task.
template <typename T>
class Cell {
 public:
  constexpr Cell() noexcept
      : value_() {
  }

  constexpr explicit Cell(T value) noexcept
      : value_(std::move(value)) {
  }

  const T& Read() const noexcept {
    return value_;
  }

  void Write(T value) noexcept {
    value_ = std::move(value);
  }

 private:
  T value_;
};

}  // namespace schedbench
