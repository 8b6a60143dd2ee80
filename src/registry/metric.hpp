#pragma once

#include "base/enum_text.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::registry {

using schedbench::ToText;

enum class Better { kHigher, kLower, kNone };

// Returns the names of the enumerators.
constexpr std::array<std::string_view, 3> NamesOf(Better) {
  return {"higher", "lower", "none"};
}

// A metric that every round has one of: all there is to say about it. Reports, JSON, `list` and `describe` are made
// of this.
struct Metric {
  std::string_view name;  // "wake_time"
  std::string_view unit;  // shown with a fitting prefix; a "share" (0 to 1), in percent
  Better better;
  std::string_view doc;     // one line
  std::uint64_t needs = 0;  // operations that a round must have, or it is too small to say
};

}  // namespace schedbench::registry
