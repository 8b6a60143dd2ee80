#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"

#include <span>
#include <string>

// An output never overwrites an input, or another output.

namespace schedbench::cli {

// Returns the input of the command that writing to `output` would overwrite; "" if there is none. A
// link counts as its target; devices and pipes are never overwritten.
std::string OverwrittenInput(const Arguments& arguments, const std::string& output);

// Adds a problem for each output in the values of `flags` that is an input or is given twice.
void CheckOutputs(std::span<const Flag> flags, const Arguments& arguments,
                  config::Problems& problems);

}  // namespace schedbench::cli
