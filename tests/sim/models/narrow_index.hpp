#pragma once

#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// An unsigned number of so few bits that it wraps around within a model: what 64 bits do in
// centuries.
template <unsigned Bits>
class NarrowIndex {
 public:
  constexpr NarrowIndex(
      std::uint64_t value = 0) noexcept  // NOLINT(google-explicit-constructor): like an integer
      : value_(static_cast<std::uint8_t>(value & ((1U << Bits) - 1))) {
  }

  explicit constexpr operator std::size_t() const noexcept {
    return value_;
  }

  NarrowIndex& operator++() noexcept {
    *this = *this + 1;
    return *this;
  }

  friend constexpr NarrowIndex operator+(NarrowIndex a, NarrowIndex b) noexcept {
    return {std::uint64_t{a.value_} + b.value_};
  }

  friend constexpr NarrowIndex operator-(NarrowIndex a, NarrowIndex b) noexcept {
    return {std::uint64_t{a.value_} - b.value_};
  }

  friend constexpr NarrowIndex operator/(NarrowIndex a, NarrowIndex b) noexcept {
    return {std::uint64_t{a.value_} / b.value_};
  }

  friend constexpr auto operator<=>(NarrowIndex a, NarrowIndex b) noexcept = default;

 private:
  std::uint8_t value_;
};

}  // namespace schedbench::sim
