#pragma once

#include "cli/command.hpp"

#include <string>

namespace schedbench::cli {

// Return the man page of a command, schedbench-run(1), and that of the tool, schedbench(1), in the language of roff.
std::string ManPageOf(const Command& command);
std::string ManPageOfTool();

}  // namespace schedbench::cli
