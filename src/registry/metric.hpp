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

// All facts of a metric that every round has. Reports, JSON, `list` and `describe` use them.
struct Metric {
  std::string_view name;  // "wake_time"
  std::string_view unit;  // shown with a fitting prefix; a "share" (0 to 1) in percent
  Better better;
  std::string_view doc;     // one line
  std::uint64_t needs = 0;  // least operations of a round that is large enough
};

}  // namespace schedbench::registry
