#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

// Functions for text that another program has written. Pure; thread-safe.

namespace schedbench {

// Returns the text without blanks at its ends.
inline std::string_view WithoutBlanks(std::string_view text) noexcept {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Takes the part before the first `end`, or all, and the `end` from a text. Returns the part.
inline std::string_view TakePart(std::string_view& text, char end) noexcept {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// Takes a line from the front of a text. Returns it without its line break, \n or \r\n.
inline std::string_view TakeLine(std::string_view& text) noexcept {
  const std::string_view line = TakePart(text, '\n');
  return line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0));
}

// Returns the number at the front of a text; nothing without digits, or if it does not fit.
inline std::optional<std::uint64_t> NumberAt(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Returns the number that a text of digits is; nothing for other texts, or if it does not fit.
inline std::optional<std::uint64_t> WholeNumber(std::string_view text) noexcept {
  const bool is_number = text.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? NumberAt(text) : std::nullopt;
}

}  // namespace schedbench
