#pragma once

#include <string_view>

namespace schedbench {

// Ends the run because its result would be worthless: an exception escaped a fiber, a stack could not be
// had. Not for user input (config::InputError) and not for broken invariants (SB_ASSERT).
// Thread-safe; callable on any stack. The default prints the message and aborts.
enum class FailureKind {
  kWrong,  // something is not as it must be: the command line exits with code 4
  kLimit,  // the machine refuses memory, mappings or threads: code 2, as where it refuses at the start
};
[[noreturn]] void FailRun(std::string_view message,
                          FailureKind kind = FailureKind::kWrong) noexcept;

// What FailRun does. Must not return.
using FailureHandler = void (*)(std::string_view message, FailureKind kind);
void SetFailureHandler(FailureHandler handler) noexcept;

}  // namespace schedbench
