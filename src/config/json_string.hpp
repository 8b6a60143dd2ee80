#pragma once

#include <string>
#include <string_view>

namespace schedbench::config {

// Returns a text as JSON has it, quotes included. What is no UTF-8 is replaced: names of fibers are the user's.
std::string JsonString(std::string_view text);

}  // namespace schedbench::config
