#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Breaks a text into lines of at most `width` characters, at spaces; a longer word has a line of its own. At least one line.
std::vector<std::string> WrapWords(std::string_view text, std::size_t width);

}  // namespace schedbench::config
