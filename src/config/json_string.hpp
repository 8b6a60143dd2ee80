#pragma once

#include <string>
#include <string_view>

namespace schedbench::config {

// Returns a text as JSON has it, quotes included. Invalid UTF-8 is replaced by U+FFFD.
std::string JsonString(std::string_view text);

}  // namespace schedbench::config
