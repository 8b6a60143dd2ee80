#pragma once

#include "config/problems.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <vector>

namespace schedbench::cli {

// Returns what is compared, from the words of the command line: NAME=WHAT or WHAT, where WHAT is a scheduler with settings
// ("fast:lifo_limit=0") or the file of a config, or one that ships ("fast.json"). `workers`: in place of their own number, or
// null. What is wrong goes to `problems`. Each has a name of its own; the agent of all is this program.
std::vector<harness::Alternative> AlternativesOf(const std::vector<std::string>& words,
                                                 const std::string* workers,
                                                 config::Problems& problems);

// Returns `name`, with a number behind it where one of the others has it: two of the same kind are what a comparison with
// itself is about.
std::string UniqueName(const std::string& name, const std::vector<harness::Alternative>& others);

}  // namespace schedbench::cli
