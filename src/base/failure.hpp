#pragma once

#include <string_view>

namespace schedbench {

// Ends the run because its result would be worthless: an exception escaped a fiber, a stack was
// refused. Not for user input (config::InputError) or broken invariants (SB_ASSERT). Thread-safe;
// callable on any stack. The default prints the message and aborts.
enum class FailureKind {
  kWrong,  // an unexpected state: the command line exits with code 4
  kLimit,  // the machine refuses memory, mappings or threads: code 2
};
[[noreturn]] void FailRun(std::string_view message,
                          FailureKind kind = FailureKind::kWrong) noexcept;

// The action of FailRun. It must not return.
using FailureHandler = void (*)(std::string_view message, FailureKind kind);
void SetFailureHandler(FailureHandler handler) noexcept;

}  // namespace schedbench
