#pragma once

// Stands in for src/base/atomic_hook.hpp in programs whose time is simulated: the same layout, and
// before each access a call of the Machine.

#include "simulation/machine/machine.hpp"

#include <atomic>
#include <cstring>
#include <utility>

namespace schedbench {

enum class Access { kRead, kWrite, kModify, kFence };

using CallSite = sim_scaling::Place;

struct AccessHook {
  AccessHook(Access access, const void* atomic, const CallSite& where) {
    sim_scaling::Machine& machine = sim_scaling::Machine::Instance();
    if (access == Access::kRead) {
      machine.Read(atomic, where);
    } else if (access == Access::kWrite) {
      machine.Write(atomic, where);
    } else if (access == Access::kModify) {
      machine.Modify(atomic, where);
    } else {
      machine.Fence(where);
    }
  }
};

// A value with the interface of std::atomic. One thread runs at a time.
template <typename T>
class AtomicValue {
 public:
  constexpr explicit AtomicValue(T value) noexcept
      : value_(value) {
  }

  T load(std::memory_order /*order*/) const noexcept {
    return value_;
  }

  void store(T value, std::memory_order /*order*/) noexcept {
    // What a worker says that it does: a store of a WorkerActivity.
    if constexpr (requires { T::kSteal; }) {
      sim_scaling::Machine::Instance().SetSearching(value == T::kSteal || value == T::kSearch);
    }
    value_ = value;
  }

  T exchange(T value, std::memory_order /*order*/) noexcept {
    return std::exchange(value_, value);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order /*success*/,
                               std::memory_order /*failure*/) noexcept {
    const bool equal = std::memcmp(&value_, &expected, sizeof(T)) == 0;
    (equal ? value_ : expected) = equal ? desired : value_;
    return equal;
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }

  T fetch_add(T delta, std::memory_order /*order*/) noexcept {
    return std::exchange(value_, static_cast<T>(value_ + delta));
  }
  T fetch_sub(T delta, std::memory_order /*order*/) noexcept {
    return std::exchange(value_, static_cast<T>(value_ - delta));
  }
  T fetch_or(T bits, std::memory_order /*order*/) noexcept {
    return std::exchange(value_, static_cast<T>(value_ | bits));
  }
  T fetch_and(T bits, std::memory_order /*order*/) noexcept {
    return std::exchange(value_, static_cast<T>(value_ & bits));
  }

 private:
  T value_;
};

inline void ThreadFence(std::memory_order /*order*/) noexcept {
}

// Accesses to plain memory cost nothing: what a task takes, the constants of plain work contain.
struct CellHook {
  void BeforeRead(const CallSite& /*where*/) const noexcept {
  }
  void BeforeWrite(const CallSite& /*where*/) noexcept {
  }
};

}  // namespace schedbench
