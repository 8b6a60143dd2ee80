#pragma once

#include <string_view>

namespace schedbench {

// Prints "warning: MESSAGE" on stderr, a message of at most 500 characters: what a user must know of a run whose result is right.
// Thread-safe; callable on the stack of a fiber.
void Warn(std::string_view message) noexcept;

}  // namespace schedbench
