#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace schedbench::report {

// Returns the word as a POSIX shell reads it: quoted only if necessary.
std::string ShellWord(std::string_view word);

// Returns the command as a shell reads it.
std::string ShellCommand(std::span<const std::string> command);

// Returns a command for a shell that repeats a run with the same random choices: `command`, with the seed if it has none.
std::string ReplayCommand(std::span<const std::string> command, std::uint64_t seed);

}  // namespace schedbench::report
