#pragma once

#include "cli/command.hpp"

#include <string>

namespace schedbench::cli {

// Each returns a text for stdout that ends in a newline.
std::string HelpOfTool();
std::string HelpOf(const Command& command);
std::string VersionText();

// "usage: schedbench agent-check [flags] -- COMMAND...", without a newline.
std::string UsageOf(const Command& command);

}  // namespace schedbench::cli
