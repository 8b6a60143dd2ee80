#pragma once

// Stands in for src/base/atomic.hpp in programs that run on the simulated machine: the same names, each operation
// a call of the Machine.

#include "base/attributes.hpp"
#include "tests/sim/machine/machine.hpp"

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
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

 public:
  constexpr Atomic() noexcept
      : Atomic(T{}) {
  }

  constexpr explicit Atomic(T value) noexcept
      : constant_(value) {
    if (!std::is_constant_evaluated()) {
      word_ = sim::Machine::Instance().NewWord(Encode(value));
    }
  }

  constexpr ~Atomic() {
    if (!std::is_constant_evaluated()) {
      sim::Machine::Instance().DestroyLocation(word_);
    }
  }

  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T Load(memory_order order, sim::Place where = sim::Place::current()) const noexcept {
    return Decode(sim::Machine::Instance().Load(Ready(), order, where));
  }

  void Store(T value, memory_order order, sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().Store(Ready(), Encode(value), order, where);
  }

  T Exchange(T value, memory_order order, sim::Place where = sim::Place::current()) noexcept {
    return Modify(order, where, [value](T /*before*/) { return value; });
  }

  bool CompareExchange(T& expected, T desired, memory_order success, memory_order failure,
                       sim::Place where = sim::Place::current()) noexcept {
    return Exchange(expected, desired, success, failure, false, where);
  }

  bool CompareExchangeWeak(T& expected, T desired, memory_order success, memory_order failure,
                           sim::Place where = sim::Place::current()) noexcept {
    return Exchange(expected, desired, success, failure, true, where);
  }

  T FetchAdd(T delta, memory_order order, sim::Place where = sim::Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return Modify(order, where, [delta](T before) { return static_cast<T>(before + delta); });
  }

  T FetchSub(T delta, memory_order order, sim::Place where = sim::Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return Modify(order, where, [delta](T before) { return static_cast<T>(before - delta); });
  }

  T FetchOr(T bits, memory_order order, sim::Place where = sim::Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return Modify(order, where, [bits](T before) { return static_cast<T>(before | bits); });
  }

  T FetchAnd(T bits, memory_order order, sim::Place where = sim::Place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return Modify(order, where, [bits](T before) { return static_cast<T>(before & bits); });
  }

  const sim::Word& SimulatedWord() const noexcept {
    return Ready();
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

  // One that the compiler has initialised gets its word at first use.
  sim::Word& Ready() const noexcept {
    if (word_.id == kUnset) [[unlikely]] {
      word_ = {.value = Encode(constant_), .id = 0};
    }
    return word_;
  }

  template <typename Change>
  T Modify(memory_order order, const sim::Place& where, Change change) noexcept {
    return Decode(sim::Machine::Instance().Modify(
        Ready(), [&change](std::uint64_t before) { return Encode(change(Decode(before))); }, order,
        where));
  }

  bool Exchange(T& expected, T desired, memory_order success, memory_order failure, bool weak,
                const sim::Place& where) noexcept {
    std::uint64_t bits = Encode(expected);
    if (sim::Machine::Instance().CompareExchange(Ready(), bits, Encode(desired), success, failure,
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

inline void AtomicFence(memory_order order, sim::Place where = sim::Place::current()) noexcept {
  sim::Machine::Instance().Fence(order, where);
}

template <typename T>
class Cell {
 public:
  Cell() noexcept
      : Cell(T()) {
  }

  explicit Cell(T value) noexcept
      : id_(sim::Machine::Instance().NewCell()),
        value_(std::move(value)) {
  }

  ~Cell() {
    sim::Machine::Instance().DestroyCell(id_);
  }

  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  const T& Read(sim::Place where = sim::Place::current()) const noexcept {
    sim::Machine::Instance().ReadCell(id_, where);
    return value_;
  }

  void Write(T value, sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().WriteCell(id_, where);
    value_ = std::move(value);
  }

 private:
  const std::uint32_t id_;
  T value_;
};

}  // namespace schedbench
