#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace schedbench::cli {

// The meaning of a command line.
struct CommandLine {
  const Command* command = nullptr;  // null: the answer is `text`, a help or the version
  Arguments arguments{};
  std::string text{};
};

// Reads the words after the name of the program; without words the help of the tool is the answer. Throws config::InputError
// with everything that is wrong: flags that the command does not have, flags without their values, values that break the rules
// of their flags, and too few or too many other words.
CommandLine ParseCommandLine(const std::vector<std::string>& words);

}  // namespace schedbench::cli
