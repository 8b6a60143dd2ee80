#pragma once

#include <string>
#include <vector>

namespace schedbench::platform {

// Returns the words of a command like a POSIX shell: quotes, $VARIABLES, ~ and patterns of files.
// Throws std::invalid_argument with the reason if a variable is not set, a quote is not closed, or
// another special character is unquoted (| & ; < > ( ) { }, a line break, a command substitution).
std::vector<std::string> CommandWords(const std::string& command);

}  // namespace schedbench::platform
