#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace schedbench::report {

// Returns a command, quoted for a shell, that repeats a run with the same random choices: `command` as it was typed,
// with the seed where it has none.
std::string ReplayCommand(std::span<const std::string> command, std::uint64_t seed);

}  // namespace schedbench::report
