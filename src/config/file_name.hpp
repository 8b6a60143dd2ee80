#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace schedbench::config {

// The value of a field for a file; empty: none. It has its own memory: a config is copied as bytes.
struct FileName {
  static constexpr std::size_t kMaxBytes = 1023;  // arbitrary: longer than names that users write

  std::array<char, kMaxBytes + 1> text{};  // ends with a 0

  constexpr FileName() = default;

  // Requires: at most kMaxBytes without a 0.
  constexpr explicit FileName(std::string_view name) {
    std::copy(name.begin(), name.end(), text.begin());
  }

  constexpr operator std::string_view() const {  // NOLINT: implicit, so a field reads as its value
    return std::string_view(text.data());
  }

  bool operator==(const FileName&) const = default;
};

}  // namespace schedbench::config
