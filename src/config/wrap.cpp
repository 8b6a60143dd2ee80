#include "config/wrap.hpp"

#include "config/quote.hpp"

#include <algorithm>

namespace schedbench::config {

std::vector<std::string> WrapWords(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t length = 0;  // of the last line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t count = CharacterCount(word);
    if (length > 0 && length + 1 + count > width) {
      lines.emplace_back();
      length = 0;
    }
    if (length > 0) {
      lines.back() += ' ';
      ++length;
    }
    lines.back() += word;
    length += count;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace schedbench::config
