#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::report {

// The abilities of a text's destination.
struct TerminalStyle {
  bool unicode = true;
  bool colour = false;
  std::size_t width = kUnlimited;  // characters of a line: tables are fitted to a terminal's width

  static constexpr std::size_t kUnlimited = 1'000'000;

  // Returns the Unicode text if it can be shown, otherwise the ASCII text.
  std::string_view Sign(std::string_view unicode_text, std::string_view ascii_text) const {
    return unicode ? unicode_text : ascii_text;
  }

  // Returns the text for a missing value.
  std::string Dash() const {
    return std::string(Sign("—", "-"));
  }

  // Return the text unchanged without colour.
  std::string Bold(std::string_view text) const {
    return WithAttribute("1", text);
  }
  std::string Dim(std::string_view text) const {
    return WithAttribute("2", text);
  }

 private:
  // Every terminal has these attributes, and they are readable with every colour scheme.
  std::string WithAttribute(std::string_view attribute, std::string_view text) const {
    return colour && !text.empty() ? fmt::format("\033[{}m{}\033[0m", attribute, text)
                                   : std::string(text);
  }
};

}  // namespace schedbench::report
