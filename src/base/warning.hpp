#pragma once

#include <string_view>

namespace schedbench {

// Prints "warning: MESSAGE" on stderr: for conditions that do not make the result wrong. Cuts it
// after 500 characters. Thread-safe; callable on a fiber's stack.
void PrintWarning(std::string_view message) noexcept;

}  // namespace schedbench
