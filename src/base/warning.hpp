#pragma once

#include <string_view>

namespace schedbench {

// Prints "warning: MESSAGE" on stderr: for conditions that the user should know about and that do not make the result wrong. A
// message of more than 500 characters is cut. Thread-safe; callable on the stack of a fiber.
void PrintWarning(std::string_view message) noexcept;

}  // namespace schedbench
