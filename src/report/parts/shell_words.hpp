#pragma once

#include <string>
#include <string_view>

namespace schedbench::report {

// Returns the word so that a POSIX shell reads it as one word: quoted only where that is needed.
std::string ShellWord(std::string_view word);

}  // namespace schedbench::report
