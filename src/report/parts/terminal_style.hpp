#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::report {

// What the destination of a text can show.
struct TerminalStyle {
  bool unicode = true;
  bool colour = false;
  std::size_t width =
      kUnlimited;  // of a line, in characters: a terminal's, to which tables are fitted

  static constexpr std::size_t kUnlimited = 1'000'000;

  // Returns the Unicode text if it can be shown, else the ASCII text.
  std::string_view Sign(std::string_view unicode_text, std::string_view ascii_text) const {
    return unicode ? unicode_text : ascii_text;
  }

  // Returns what stands for a value that is missing.
  std::string Dash() const {
    return std::string(Sign("—", "-"));
  }

  // Return the text unchanged without colour.
  std::string Bold(std::string_view text) const;
  std::string Dim(std::string_view text) const;
};

}  // namespace schedbench::report
