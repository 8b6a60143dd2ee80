#pragma once

// Replaces src/base/atomic_value.hpp in programs that run on the simulated machine: each operation
// is a call of the Machine.

#include "tests/sim/machine/machine.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define SB_SITE_PARAMETER , sim::Place where = sim::Place::current()
#define SB_SITE , where

namespace schedbench {

// A value of the simulated memory, with the interface of std::atomic.
template <typename T>
class AtomicValue {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

 public:
  constexpr explicit AtomicValue(T value) noexcept
      : constant_(value) {
    if (!std::is_constant_evaluated()) {
      word_ = sim::Machine::Instance().NewWord(Encode(value));
    }
  }

  constexpr ~AtomicValue() {
    if (!std::is_constant_evaluated()) {
      sim::Machine::Instance().DestroyLocation(word_);
    }
  }

  AtomicValue(const AtomicValue&) = delete;
  AtomicValue& operator=(const AtomicValue&) = delete;

  T load(std::memory_order order, const sim::Place& where) const noexcept {
    return Decode(sim::Machine::Instance().Load(Word(), order, where));
  }

  void store(T value, std::memory_order order, const sim::Place& where) noexcept {
    sim::Machine::Instance().Store(Word(), Encode(value), order, where);
  }

  T exchange(T value, std::memory_order order, const sim::Place& where) noexcept {
    return Modify(order, where, [value](T /*before*/) { return value; });
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, const sim::Place& where) noexcept {
    return CompareExchange(expected, desired, success, failure, false, where);
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, const sim::Place& where) noexcept {
    return CompareExchange(expected, desired, success, failure, true, where);
  }

  T fetch_add(T delta, std::memory_order order, const sim::Place& where) noexcept {
    return Modify(order, where, [delta](T before) { return static_cast<T>(before + delta); });
  }
  T fetch_sub(T delta, std::memory_order order, const sim::Place& where) noexcept {
    return Modify(order, where, [delta](T before) { return static_cast<T>(before - delta); });
  }
  T fetch_or(T bits, std::memory_order order, const sim::Place& where) noexcept {
    return Modify(order, where, [bits](T before) { return static_cast<T>(before | bits); });
  }
  T fetch_and(T bits, std::memory_order order, const sim::Place& where) noexcept {
    return Modify(order, where, [bits](T before) { return static_cast<T>(before & bits); });
  }

  // A value that the compiler has initialised gets its word at first use.
  sim::Word& Word() const noexcept {
    if (word_.id == kUnset) [[unlikely]] {
      word_ = {.value = Encode(constant_), .id = 0};
    }
    return word_;
  }

 private:
  static std::uint64_t Encode(T value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }

  static T Decode(std::uint64_t bits) noexcept {
    T value{};
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
  }

  template <typename Change>
  T Modify(std::memory_order order, const sim::Place& where, Change change) noexcept {
    return Decode(sim::Machine::Instance().Modify(
        Word(), [&change](std::uint64_t before) { return Encode(change(Decode(before))); }, order,
        where));
  }

  bool CompareExchange(T& expected, T desired, std::memory_order success, std::memory_order failure,
                       bool weak, const sim::Place& where) noexcept {
    std::uint64_t bits = Encode(expected);
    if (sim::Machine::Instance().CompareExchange(Word(), bits, Encode(desired), success, failure,
                                                 weak, where)) {
      return true;
    }
    expected = Decode(bits);
    return false;
  }

  static constexpr std::uint32_t kUnset = 0xffffffff;

  const T constant_;
  mutable sim::Word word_{.value = 0, .id = kUnset};
};

inline void AtomicFence(std::memory_order order,
                        sim::Place where = sim::Place::current()) noexcept {
  sim::Machine::Instance().Fence(order, where);
}

}  // namespace schedbench
