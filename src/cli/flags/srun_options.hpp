#pragma once

#include "config/problems.hpp"

#include <string>
#include <vector>

namespace schedbench::cli {

// Checks the words of --slurm, which become options of srun in front of the command of an agent.
// Refuses what contradicts the options that each agent gets, also by the first letters of a long
// name, groups such as -sN2, and words that srun would take for the command. Returns the value of
// --nodelist or -w; "" without one. `where`: the flag, for messages.
std::string CheckSrunOptions(const std::vector<std::string>& words, const std::string& where,
                             config::Problems& problems);

}  // namespace schedbench::cli
