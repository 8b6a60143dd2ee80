#pragma once

#include "cli/flags/arguments.hpp"
#include "config/settings.hpp"

#include <span>
#include <string>
#include <vector>

// Files that parameters of workloads name, such as the graph of replay.

namespace schedbench::cli {

// Returns the files that the workloads of a command name: those of its flags, also the values of a sweep, and of its first word if
// `words_are` says that it is a workload. A workload that is wrong has none; the command reports it.
std::vector<std::string> FilesOfWorkloads(std::span<const Flag> flags, Names words_are,
                                          const Arguments& arguments);

}  // namespace schedbench::cli
