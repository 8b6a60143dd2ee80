#pragma once

// Stands in for src/base/atomic_hook.hpp in programs that run on the simulated machine: each access is a call of the
// Machine.

#include "tests/sim/machine/machine.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace schedbench {

enum class Access { kRead, kWrite, kModify, kFence };

using CallSite = sim::Place;

// Keeps the call site of the access that follows. One thread runs at a time, and the access copies the site before another
// thread can run.
struct AccessHook {
  AccessHook(Access /*access*/, const void* /*atomic*/, const CallSite& where) noexcept {
    site = where;
  }

  static CallSite Site() noexcept {
    return site;
  }

 private:
  static inline CallSite site;
};

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

  T load(std::memory_order order) const noexcept {
    return Decode(sim::Machine::Instance().Load(Word(), order, AccessHook::Site()));
  }

  void store(T value, std::memory_order order) noexcept {
    sim::Machine::Instance().Store(Word(), Encode(value), order, AccessHook::Site());
  }

  T exchange(T value, std::memory_order order) noexcept {
    return Modify(order, [value](T /*before*/) { return value; });
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) noexcept {
    return CompareExchange(expected, desired, success, failure, false);
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) noexcept {
    return CompareExchange(expected, desired, success, failure, true);
  }

  T fetch_add(T delta, std::memory_order order) noexcept {
    return Modify(order, [delta](T before) { return static_cast<T>(before + delta); });
  }
  T fetch_sub(T delta, std::memory_order order) noexcept {
    return Modify(order, [delta](T before) { return static_cast<T>(before - delta); });
  }
  T fetch_or(T bits, std::memory_order order) noexcept {
    return Modify(order, [bits](T before) { return static_cast<T>(before | bits); });
  }
  T fetch_and(T bits, std::memory_order order) noexcept {
    return Modify(order, [bits](T before) { return static_cast<T>(before & bits); });
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
  T Modify(std::memory_order order, Change change) noexcept {
    return Decode(sim::Machine::Instance().Modify(
        Word(), [&change](std::uint64_t before) { return Encode(change(Decode(before))); }, order,
        AccessHook::Site()));
  }

  bool CompareExchange(T& expected, T desired, std::memory_order success, std::memory_order failure,
                       bool weak) noexcept {
    std::uint64_t bits = Encode(expected);
    if (sim::Machine::Instance().CompareExchange(Word(), bits, Encode(desired), success, failure,
                                                 weak, AccessHook::Site())) {
      return true;
    }
    expected = Decode(bits);
    return false;
  }

  static constexpr std::uint32_t kUnset = 0xffffffff;

  const T constant_;
  mutable sim::Word word_{.value = 0, .id = kUnset};
};

inline void ThreadFence(std::memory_order order) noexcept {
  sim::Machine::Instance().Fence(order, AccessHook::Site());
}

class CellHook {
 public:
  CellHook() noexcept
      : id_(sim::Machine::Instance().NewCell()) {
  }
  ~CellHook() {
    sim::Machine::Instance().DestroyCell(id_);
  }
  CellHook(const CellHook&) = delete;
  CellHook& operator=(const CellHook&) = delete;

  void BeforeRead(const CallSite& where) const noexcept {
    sim::Machine::Instance().ReadCell(id_, where);
  }
  void BeforeWrite(const CallSite& where) noexcept {
    sim::Machine::Instance().WriteCell(id_, where);
  }

 private:
  const std::uint32_t id_;
};

}  // namespace schedbench
