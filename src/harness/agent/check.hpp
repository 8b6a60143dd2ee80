#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace schedbench::harness {

// One rule of the protocol, and whether the agent keeps it.
struct AgentCheck {
  std::string rule;          // "says hello"
  std::string wrong;         // "" where it does
  std::string skipped = "";  // why the rule was not tried; "" where it was
};

struct AgentChecks {
  std::string agent;  // "go go1.19.8": what it calls itself; "" where it says nothing
  std::vector<AgentCheck> checks;

  bool AllGood() const;
};

// What the agent is checked with.
struct AgentCheckOptions {
  // All parameters of each workload that `compare` can request, by the name of the workload: a JSON object.
  std::map<std::string, std::string> parameters;
  // The same with one other value, where a parameter of the workload can have one.
  std::map<std::string, std::string> changed{};
  // The workloads whose parameters the user chose. The agent must have them, and may refuse these parameters.
  std::set<std::string> chosen;
  // An agent and a scheduler of it that do these workloads. The operations of a round are compared with theirs.
  std::vector<std::string> reference;
  std::string reference_scheduler;
  std::chrono::nanoseconds limit;  // of a round; 0: none
};

// Starts an agent and tries what docs/agent-protocol.md asks of one. It does each of its workloads, and each of its schedulers, with the
// requests that `compare` sends. What the machine is too small for is left out. `cancelled`: as AgentClient's. Throws
// AgentCancelled, and nothing for what the agent does.
AgentChecks CheckAgent(const std::vector<std::string>& command, const AgentCheckOptions& options,
                       const std::function<bool()>& cancelled);

}  // namespace schedbench::harness
