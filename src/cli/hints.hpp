#pragma once

#include "cli/command.hpp"

#include <string>
#include <string_view>

namespace schedbench::cli {

// Returns advice for a flag that `command` does not have and another command has: how to do the same there, or the commands
// that take it. "" if no command has it. `name`: "--set" or "-c".
std::string HintForFlag(const Command& command, std::string_view name);

// Returns the words by which `command` would take an argument that it does not expect here: "describe scheduler fast",
// "run --workload yield". "" if the word is no name of anything.
std::string HintForWord(const Command& command, std::string_view word);

}  // namespace schedbench::cli
