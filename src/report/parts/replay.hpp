#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace schedbench::report {

// Returns the word for a POSIX shell: quoted only if necessary.
std::string ShellWord(std::string_view word);

// Returns the command as a shell reads it.
std::string ShellCommand(std::span<const std::string> command);

// Returns a shell command for a run with the same random choices: `command`, with a seed if needed.
std::string ReplayCommand(std::span<const std::string> command, std::uint64_t seed);

}  // namespace schedbench::report
