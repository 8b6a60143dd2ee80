#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench::config {

// The grammar of a JSON number (RFC 8259, section 6), for files and flags. It excludes +5, 010,
// 0x10, .5, 5., nan, inf and spaces.

enum class NumberForm {
  kNone,     // not a number
  kWhole,    // digits, maybe after a minus: 0, 61, -7; but not -0
  kDecimal,  // with a fraction or an exponent, or -0
};

NumberForm FormOf(std::string_view text);

// Returns the length of the longest number at the start of the text; 0 without one.
std::size_t NumberLength(std::string_view text);

}  // namespace schedbench::config
