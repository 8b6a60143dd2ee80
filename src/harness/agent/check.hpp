#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace schedbench::harness {

// One rule of the protocol, and whether the agent keeps it.
struct AgentCheck {
  std::string rule;   // "says hello"
  std::string wrong;  // "" where it does
};

struct AgentChecks {
  std::string agent;  // "go go1.19.8": what it calls itself; "" where it says nothing
  std::vector<AgentCheck> checks;

  bool AllGood() const;
};

// Parameters of workloads by their name, JSON objects; others have their defaults.
using AgentParameters = std::map<std::string, std::string>;

// Starts an agent, again where that is part of a rule, and tries what agent/README.md asks of one: each workload that it
// names, and each scheduler, two rounds; what the machine is too small for is passed over. `limit`: of a round; 0: none.
// `cancelled`: as AgentClient's; throws AgentCancelled, and nothing for what the agent does.
AgentChecks CheckAgent(const std::vector<std::string>& command, const AgentParameters& parameters,
                       std::chrono::nanoseconds limit, const std::function<bool()>& cancelled);

}  // namespace schedbench::harness
