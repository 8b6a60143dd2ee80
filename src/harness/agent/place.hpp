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
  std::string name;                 // "alice@box", "n1"
  std::vector<std::string> prefix;  // the words before a command that is to run there
  std::string tool;                 // the path of this program there
  AgentMachine machine = {};        // as hello has reported it

  // "host box", "node n1".
  std::string Text() const;
};

// Where agents run; null: on this machine.
using PlacePtr = std::shared_ptr<const Place>;

// The path by which this program starts agents of its own here.
inline constexpr const char* kOwnProgram = "/proc/self/exe";

// Returns the command that runs a program at a place, where `command` runs it here: kOwnProgram becomes the tool of the place.
std::vector<std::string> CommandAt(const PlacePtr& place, const std::vector<std::string>& command);

// Starts an agent at the place. On another machine it has a guard: `schedbench agent --guard` ends it if its input ends and it
// does not, and reports how it ended, so that the end of an agent is not taken for that of ssh or srun. Throws as AgentClient() does.
std::unique_ptr<AgentClient> StartAt(const PlacePtr& place, const std::vector<std::string>& command,
                                     const std::function<bool()>& cancelled);

// Starts the agent at the place and asks hello. Throws AgentLost, AgentRefused, AgentCancelled.
HelloReply Greet(const PlacePtr& place, const std::vector<std::string>& command,
                 const std::function<bool()>& cancelled);

// Returns why the place does not answer; "" if it does. Throws AgentCancelled.
std::string TroubleAt(const PlacePtr& place, const std::function<bool()>& cancelled);

// What was lost with an agent.
struct Loss {
  enum class Of { kAgent, kConnection, kPlace };

  Of of = Of::kAgent;
  std::string text;
};

// Looks whether an agent of StartAt() was lost with the connection or with the machine: that is no failure of the agent. Throws
// AgentCancelled.
Loss ExplainLoss(const PlacePtr& place, const AgentLost& lost,
                 const std::function<bool()>& cancelled);

// Returns how many CPUs agents may use at each of the places; without places, `here`.
std::uint32_t FewestCpus(const std::vector<PlacePtr>& places, std::uint32_t here);

// Returns in a text how this program was built, as far as results depend on it; of a build whose files differed from its revision
// also what identifies its executable.
std::string BuildOf(const registry::BuildInfo& build);

// Returns the revision of a build with a mark where files differed from it: "6cb58150 modified".
std::string RevisionOf(const registry::BuildInfo& build);

}  // namespace schedbench::harness
