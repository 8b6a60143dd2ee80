#pragma once

#include "config/problems.hpp"
#include "harness/compare/plan.hpp"

#include <string>
#include <vector>

namespace schedbench::cli {

// Returns what `--with` adds to a comparison. Each value is a list of peers ("go,tokio") or an agent of the user's
// ("mine=./agent --fast", a command as a shell reads it). Every agent is started once and asked what it has: each of its
// schedulers is an alternative, or the one that is named ("old/fast=former/schedbench agent"). `workers`: in place of their own
// number, or null. What is wrong goes to `problems`, with the command that
// builds what is missing. Peers are looked for in peers/ beside the running program, or in the folder that the environment
// variable SCHEDBENCH_PEERS names.
std::vector<harness::Alternative> PeersOf(const std::vector<std::string>& values,
                                          const std::string* workers, config::Problems& problems);

}  // namespace schedbench::cli
