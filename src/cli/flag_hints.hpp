#pragma once

#include "cli/command.hpp"

#include <string>
#include <string_view>

namespace schedbench::cli {

// Returns advice for a flag that `command` does not have and another command has: how to do the same there, or the commands
// that take it. "" if no command has it. `name`: "--set" or "-c".
std::string HintForFlag(const Command& command, std::string_view name);

}  // namespace schedbench::cli
