#pragma once

#include "registry/workload.hpp"

#include <string>

namespace schedbench::harness {

// Returns how the parameters that are in effect differ from the requested ones: "yields is 30 there, and not 20"; "" if all
// requested ones have the requested values. Both are JSON objects.
std::string DifferenceOfParameters(const std::string& requested, const std::string& in_effect);

// Returns the settings of a config that are in effect with another value than the requested one: "netpoll=epoll instead of
// uring"; "" for none. A number of workers that the agent chooses is no difference. Both are JSON objects.
std::string ChangedSettings(const std::string& requested, const std::string& in_effect);

// Whether equal work with these parameters, a JSON object, may start different numbers of tasks: then two runtimes are not
// compared by their spawns.
bool SpawnsVary(const registry::WorkloadEntry& workload, const std::string& parameters);

}  // namespace schedbench::harness
