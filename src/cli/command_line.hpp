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

// Parses the words after the name of the program; without words the answer is the tool's help.
// Throws config::InputError with all errors: unknown flags, missing values, values that break the
// rules of their flags, and too few or too many other words.
CommandLine ParseCommandLine(const std::vector<std::string>& words);

}  // namespace schedbench::cli
