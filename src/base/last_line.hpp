#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench {

// Returns the last line of `text` that is not blank, as a part of it, or an empty text. A failed
// program probably wrote the reason there. Pure; thread-safe.
inline std::string_view LastLine(std::string_view text) noexcept {
  constexpr std::string_view kEnds = "\r\n";
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, last + 1);  // npos + 1 is 0
  const std::size_t before = text.find_last_of(kEnds);
  return before == std::string_view::npos ? text : text.substr(before + 1);
}

}  // namespace schedbench
