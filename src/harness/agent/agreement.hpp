#pragma once

#include "registry/workload.hpp"

#include <string>

namespace schedbench::harness {

// Returns how the parameters in effect differ from the requested ones: "yields is 30 there, and not
// 20"; "" if all requested ones have the requested values. Both are JSON objects.
std::string DifferenceOfParameters(const std::string& requested, const std::string& in_effect);

// Returns the settings of a config whose values in effect are not the requested ones:
// "netpoll=epoll instead of uring"; "" for none. What the agent chooses, a number of
// workers or a value for "auto", does not count. Both are JSON objects.
std::string ChangedSettings(const std::string& requested, const std::string& in_effect);

// Returns whether equal work with these parameters, a JSON object, may start different numbers of
// tasks. Two runtimes are then not compared by their spawns.
bool SpawnsVary(const registry::WorkloadEntry& workload, const std::string& parameters);

}  // namespace schedbench::harness
