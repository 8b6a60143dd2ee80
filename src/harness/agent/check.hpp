#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace schedbench::harness {

// A rule of the protocol, and whether the agent keeps it.
struct AgentCheck {
  std::string rule;          // "says hello"
  std::string wrong;         // what is wrong; "" where the agent keeps the rule
  std::string skipped = "";  // why the rule was not tried; "" where it was
};

struct AgentChecks {
  std::string agent;  // what the agent calls itself: "go go1.19.8"; "" where it does not say
  std::vector<AgentCheck> checks;

  bool AllGood() const;
};

// The inputs of a check.
struct AgentCheckOptions {
  // All parameters of each workload that `compare` can request, as JSON by its name.
  std::map<std::string, std::string> parameters;
  // These parameters with one other value, where a parameter of the workload can have one.
  std::map<std::string, std::string> changed{};
  // Workloads with the user's parameters. The agent must have them, but may refuse the parameters.
  std::set<std::string> chosen;
  // An agent and its scheduler that do these workloads: their operations in a round are expected.
  std::vector<std::string> reference;
  std::string reference_scheduler;
  std::chrono::nanoseconds limit;  // limit of a round; 0: none
};

// Starts an agent and tries the rules of docs/agent-protocol.md. It does all of the agent's
// workloads and schedulers with the requests of `compare`, except those too large for the machine.
// `cancelled`: see AgentClient. Throws only AgentCancelled: the result has agents' errors.
AgentChecks CheckAgent(const std::vector<std::string>& command, const AgentCheckOptions& options,
                       const std::function<bool()>& cancelled);

}  // namespace schedbench::harness
