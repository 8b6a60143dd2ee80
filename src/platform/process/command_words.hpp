#pragma once

#include <string>
#include <vector>

namespace schedbench::platform {

// Returns the words of a command as a POSIX shell reads them: quotes, $VARIABLES, ~ and patterns of files. Throws
// std::invalid_argument, which says what is wrong, where a variable is not set, a quote is not closed, or another of the
// shell's signs stands unquoted (| & ; < > ( ) { } and a line break, also a command that is to be replaced by its output).
std::vector<std::string> CommandWords(const std::string& command);

}  // namespace schedbench::platform
