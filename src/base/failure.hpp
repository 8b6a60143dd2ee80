#pragma once

#include <string_view>

namespace schedbench {

// Ends the run because its result would be worthless: an exception escaped a fiber, a stack could not be
// had. Not for user input (config::InputError) and not for broken invariants (SB_ASSERT).
// Thread-safe; callable on any stack. The default prints the message and aborts.
[[noreturn]] void FailRun(std::string_view message) noexcept;

// What FailRun does. Must not return. The command line installs one that exits with code 4.
using FailureHandler = void (*)(std::string_view message);
void SetFailureHandler(FailureHandler handler) noexcept;

}  // namespace schedbench
