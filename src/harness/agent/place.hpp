#pragma once

#include "harness/agent/client.hpp"
#include "harness/agent/message.hpp"
#include "registry/build_info.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::harness {

// Another machine on which agents run: a host behind ssh, or a node behind srun.
struct Place {
  enum class Kind { kHost, kNode };

  Kind kind = Kind::kHost;
  std::string name;                   // "alice@box", "n1"
  std::vector<std::string> prefix{};  // the words before a command that is to run there
  std::string tool{};                 // the path of this program there
  AgentMachine machine = {};          // as hello has reported it

  // Returns "host box" or "node n1".
  std::string Text() const;
};

// The machine on which agents run; null: this machine.
using PlacePtr = std::shared_ptr<const Place>;

// The path by which this program starts agents of its own here.
inline constexpr const char* kOwnProgram = "/proc/self/exe";

// Starts an agent on the machine. On another machine it has a guard: `schedbench agent --guard`
// ends an agent that survives the end of its input, and reports how the agent ended, so that an end
// of ssh or srun is not taken for it. Throws what AgentClient() throws.
std::unique_ptr<AgentClient> StartAt(const PlacePtr& place, const std::vector<std::string>& command,
                                     const std::function<bool()>& cancelled);

// Starts the agent and asks hello. Throws AgentLost, AgentRefused, AgentCancelled.
HelloReply Greet(const PlacePtr& place, const std::vector<std::string>& command,
                 const std::function<bool()>& cancelled);

// The part that was lost with an agent.
struct Loss {
  enum class Of { kAgent, kConnection, kPlace };

  Of of = Of::kAgent;
  std::string text;
};

// Checks whether an agent of StartAt() was lost with the connection or with the machine, which is
// not a failure of the agent. Throws AgentCancelled.
Loss ExplainLoss(const PlacePtr& place, const AgentLost& lost,
                 const std::function<bool()>& cancelled);

// Returns the fewest CPUs that agents may use on a machine; without machines, `here`.
std::uint32_t FewestCpus(const std::vector<PlacePtr>& places, std::uint32_t here);

// Describes how this program was built, as far as results depend on it. For a build whose files
// differed from its revision the text also identifies the executable.
std::string BuildOf(const registry::BuildInfo& build);

// Returns the revision of a build with a mark where files differed from it: "6cb58150 modified".
std::string RevisionOf(const registry::BuildInfo& build);

}  // namespace schedbench::harness
