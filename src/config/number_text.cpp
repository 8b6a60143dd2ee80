#include "config/number_text.hpp"

#include <algorithm>

namespace schedbench::config {

namespace {

// The ends of the parts of a leading number. An absent part ends where the previous one does.
struct Parts {
  std::size_t integer = 0;  // 0: not a number
  std::size_t fraction = 0;
  std::size_t exponent = 0;
};

std::size_t SkipDigits(std::string_view text, std::size_t from) {
  return std::min(text.find_first_not_of("0123456789", from), text.size());
}

bool IsAt(std::string_view text, std::size_t at, std::string_view set) {
  return at < text.size() && set.find(text[at]) != set.npos;
}

Parts Split(std::string_view text) {
  const std::size_t first_digit = IsAt(text, 0, "-") ? 1 : 0;
  // A leading zero must be alone.
  const std::size_t integer =
      IsAt(text, first_digit, "0") ? first_digit + 1 : SkipDigits(text, first_digit);
  if (integer == first_digit) {
    return {};
  }
  Parts parts{integer, integer, integer};
  if (IsAt(text, integer, ".") && IsAt(text, integer + 1, "0123456789")) {
    parts.fraction = parts.exponent = SkipDigits(text, integer + 1);
  }
  if (IsAt(text, parts.fraction, "eE")) {
    const std::size_t digits = parts.fraction + (IsAt(text, parts.fraction + 1, "+-") ? 2 : 1);
    if (IsAt(text, digits, "0123456789")) {
      parts.exponent = SkipDigits(text, digits);
    }
  }
  return parts;
}

}  // namespace

NumberForm FormOf(std::string_view text) {
  const Parts parts = Split(text);
  if (parts.integer == 0 || parts.exponent != text.size()) {
    return NumberForm::kNone;
  }
  return parts.integer == text.size() && text != "-0" ? NumberForm::kWhole : NumberForm::kDecimal;
}

std::size_t NumberLength(std::string_view text) {
  return Split(text).exponent;
}

}  // namespace schedbench::config
