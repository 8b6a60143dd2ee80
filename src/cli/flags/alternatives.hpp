#pragma once

#include "config/problems.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// Returns the alternatives of the words NAME=WHAT or WHAT, where WHAT is a scheduler with settings ("fast:lifo_limit=0"), a
// config file, or a shipped config ("fast.json"). `workers` replaces their own number of workers, unless it is null. Each
// alternative has a unique name; its agent is this program. `command`: what the words belong to, for messages. Adds to
// `problems`.
std::vector<harness::Alternative> AlternativesOf(const std::vector<std::string>& words,
                                                 const std::string* workers,
                                                 config::Problems& problems,
                                                 std::string_view command = "compare");

// Returns the config files that such words name.
std::vector<std::string> ConfigsOf(const std::vector<std::string>& words);

// Adds a problem at `where` if the name of an alternative is empty or not printable. Returns whether it is neither.
bool CheckName(const std::string& name, const std::string& where, config::Problems& problems);

// Returns `name`, with a number appended if another alternative has it: a scheduler may be compared with itself.
std::string UniqueName(const std::string& name, const std::vector<harness::Alternative>& others);

}  // namespace schedbench::cli
