#pragma once

#include <string>
#include <string_view>

namespace schedbench::cli {

// Writes a part of the result to stdout. Throws std::system_error, also if the pipe is closed.
void Print(std::string_view text);

// Returns whether two paths lead to the same file, which need not exist.
bool IsSameFile(const std::string& a, const std::string& b);

// Writes a message to stderr. Ignores errors, which could not be reported.
void Say(std::string_view text) noexcept;

}  // namespace schedbench::cli
