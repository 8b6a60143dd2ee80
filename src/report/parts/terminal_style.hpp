#pragma once

#include <string>
#include <string_view>

namespace schedbench::report {

// What the place can show that the text goes to.
struct TerminalStyle {
  bool unicode = true;
  bool colour = false;

  // Returns the first where it can be shown, else its stand-in in ASCII.
  std::string_view Sign(std::string_view unicode_text, std::string_view ascii_text) const {
    return unicode ? unicode_text : ascii_text;
  }

  // Each returns the text as it is where there is no colour.
  std::string Bold(std::string_view text) const;
  std::string Dim(std::string_view text) const;
};

}  // namespace schedbench::report
