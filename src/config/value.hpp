#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace schedbench::config {

// The value of any field. Unsigned fields of any width hold std::uint64_t; enums hold their name.
using Value = std::variant<std::uint64_t, std::int64_t, double, bool, std::string>;

// Returns the value as a user writes it: 256, -1, 0.25 (shortest form that reads back), true, half.
std::string ToText(const Value& value);

}  // namespace schedbench::config
