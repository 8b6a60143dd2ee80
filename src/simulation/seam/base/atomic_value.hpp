#pragma once

// Replaces src/base/atomic_value.hpp in programs whose time is simulated: the same layout, and a
// call of the Machine before each operation.

#include "simulation/machine/machine.hpp"

#include <atomic>
#include <cstring>
#include <utility>

#define SB_SITE_PARAMETER , sim_scaling::Place where = sim_scaling::Place::current()
#define SB_SITE , where

namespace schedbench {

// A value with the interface of std::atomic. One thread runs at a time.
template <typename T>
class AtomicValue {
  using Place = sim_scaling::Place;

 public:
  constexpr explicit AtomicValue(T value) noexcept
      : value_(value) {
  }

  AtomicValue(const AtomicValue&) = delete;
  AtomicValue& operator=(const AtomicValue&) = delete;

  T load(std::memory_order /*order*/, const Place& where) const noexcept {
    Machine().Read(this, where);
    return value_;
  }

  void store(T value, std::memory_order /*order*/, const Place& where) noexcept {
    Machine().Write(this, where);
    // A store of a WorkerActivity announces what a worker does.
    if constexpr (requires { T::kSteal; }) {
      Machine().SetSearching(value == T::kSteal || value == T::kSearch);
    }
    value_ = value;
  }

  T exchange(T value, std::memory_order /*order*/, const Place& where) noexcept {
    Machine().Modify(this, where);
    return std::exchange(value_, value);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order /*success*/,
                               std::memory_order /*failure*/, const Place& where) noexcept {
    Machine().Modify(this, where);
    const bool equal = std::memcmp(&value_, &expected, sizeof(T)) == 0;
    (equal ? value_ : expected) = equal ? desired : value_;
    return equal;
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, const Place& where) noexcept {
    return compare_exchange_strong(expected, desired, success, failure, where);
  }

  T fetch_add(T delta, std::memory_order /*order*/, const Place& where) noexcept {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ + delta));
  }

  T fetch_sub(T delta, std::memory_order /*order*/, const Place& where) noexcept {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ - delta));
  }

  T fetch_or(T bits, std::memory_order /*order*/, const Place& where) noexcept {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ | bits));
  }

  T fetch_and(T bits, std::memory_order /*order*/, const Place& where) noexcept {
    Machine().Modify(this, where);
    return std::exchange(value_, static_cast<T>(value_ & bits));
  }

 private:
  static sim_scaling::Machine& Machine() noexcept {
    return sim_scaling::Machine::Instance();
  }

  T value_;
};

inline void AtomicFence(std::memory_order /*order*/,
                        sim_scaling::Place where = sim_scaling::Place::current()) noexcept {
  sim_scaling::Machine::Instance().Fence(where);
}

}  // namespace schedbench
