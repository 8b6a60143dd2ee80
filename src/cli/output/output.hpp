#pragma once

#include <string>
#include <string_view>

namespace schedbench::cli {

// Writes a part of the result to stdout. Throws std::system_error, of a closed pipe as well.
void Print(std::string_view text);

// Whether two paths lead to one file, also one that is not there yet.
bool IsSameFile(const std::string& a, const std::string& b);

// Writes a message to stderr. Nobody can be told when that fails.
void Say(std::string_view text) noexcept;

}  // namespace schedbench::cli
