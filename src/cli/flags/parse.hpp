#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace schedbench::cli {

// Splits the words after the command's name into flags and others. The values are not looked at. Throws
// config::InputError for an unknown flag, a flag without its value and more words than the command takes.
Arguments Parse(const Command& command, const std::vector<std::string>& words);

}  // namespace schedbench::cli
