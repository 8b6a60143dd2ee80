#pragma once

#include "base/attributes.hpp"

#include <utility>

namespace schedbench {

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
