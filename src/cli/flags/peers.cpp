#include "cli/flags/peers.hpp"

#include "cli/flags/alternatives.hpp"
#include "cli/flags/perturbations.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "harness/agent/client.hpp"
#include "platform/process/command_words.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr std::string_view kBuildPeers = "run `make peers` in a source tree";
constexpr std::chrono::seconds kHelloLimit{30};  // the first start reads the program from the disk

// A program, and how to start it.
struct Agent {
  std::string name;
  std::vector<std::string> command;
  std::string scheduler = "";  // one of its schedulers; "": all
  bool shares_name = false;    // another agent has the same name
  bool is_peer = false;        // the names of its schedulers contain its own
};

std::filesystem::path PeerFolder() {
  if (const char* const folder = std::getenv("SCHEDBENCH_PEERS")) {
    return folder;
  }
  std::error_code ignored;  // without /proc: an empty path, which holds nothing
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "peers";
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) {
      parts.push_back(part);
    }
  }
  return parts;
}

void AddPeer(const std::string& name, const std::string& where, std::vector<Agent>& agents,
             config::Problems& problems) {
  if (std::ranges::find(kPeerNames, name) == kPeerNames.end()) {
    problems.Add(where, "",
                 fmt::format("unknown peer {}{}    --with NAME=COMMAND adds your own agent",
                             config::Quoted(name), config::DidYouMean(name, kPeerNames)));
    return;
  }
  const std::filesystem::path program = PeerFolder() / name;
  std::error_code ignored;  // then there is no such file
  if (!std::filesystem::is_regular_file(program, ignored)) {
    problems.Add(where, "",
                 fmt::format("the peer {} is not built: there is no program {}    {}; "
                             "SCHEDBENCH_PEERS names another folder of peers",
                             name, config::Escaped(program.string()), kBuildPeers));
    return;
  }
  agents.push_back(
      {.name = name, .command = {program.string(), "agent"}, .scheduler = "", .is_peer = true});
}

// Without the flag, or with auto, the peer takes its own default: one worker per CPU.
std::string ConfigOf(const std::string* workers) {
  return workers == nullptr || *workers == "auto" ? "{}"
                                                  : fmt::format(R"({{"workers":{}}})", *workers);
}

// "NAME=COMMAND" or "NAME/SCHEDULER=COMMAND".
void AddOwn(const std::string& value, std::size_t equals, const std::string& where,
            std::vector<Agent>& agents, config::Problems& problems) {
  const std::size_t slash = std::min(value.find('/'), equals);
  try {
    std::vector<std::string> command = platform::CommandWords(value.substr(equals + 1));
    if (slash == 0 || slash + 1 == equals || command.empty() || command.front().empty()) {
      problems.Add(where, "",
                   "expected NAME=COMMAND or NAME/SCHEDULER=COMMAND; no part may be empty");
      return;
    }
    if (!CheckName(value.substr(0, slash), where, problems)) {
      return;
    }
    agents.push_back(
        {.name = value.substr(0, slash),
         .command = std::move(command),
         .scheduler = slash < equals ? value.substr(slash + 1, equals - slash - 1) : ""});
  } catch (const std::invalid_argument& error) {
    problems.Add(where, "", error.what());
  }
}

std::vector<Agent> AgentsOf(const std::vector<std::string>& values, config::Problems& problems) {
  std::vector<Agent> agents;
  for (const std::string& value : values) {
    const std::string where = fmt::format("--with {}", config::Escaped(value));
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos) {
      const auto names = SplitAt(value, ',');
      for (const std::string& name : names) {
        AddPeer(name, where, agents, problems);
      }
      if (names.empty()) {
        problems.Add(where, "",
                     fmt::format("no peer is named; known: {}", fmt::join(kPeerNames, ", ")));
      }
      continue;
    }
    AddOwn(value, equals, where, agents, problems);
  }
  for (Agent& agent : agents) {
    agent.shares_name = std::ranges::count(agents, agent.name, &Agent::name) > 1;
  }
  return agents;
}

// Throws std::runtime_error if the agent has no such scheduler.
std::vector<std::string> ChosenOf(const Agent& agent, const harness::HelloReply& hello) {
  if (agent.scheduler.empty()) {
    return hello.schedulers;
  }
  if (std::ranges::find(hello.schedulers, agent.scheduler) == hello.schedulers.end()) {
    const std::vector<std::string_view> known(hello.schedulers.begin(), hello.schedulers.end());
    throw std::runtime_error(fmt::format("the agent has no scheduler {}{}",
                                         config::Quoted(agent.scheduler),
                                         config::DidYouMean(agent.scheduler, known)));
  }
  return {agent.scheduler};
}

std::string AlternativeName(const Agent& agent, const std::string& scheduler,
                            const harness::HelloReply& hello) {
  if (hello.schedulers.size() == 1 || (!agent.scheduler.empty() && !agent.shares_name)) {
    return agent.name;
  }
  return agent.is_peer ? scheduler : agent.name + "/" + scheduler;
}

}  // namespace

std::vector<harness::Alternative> PeersOf(const std::vector<std::string>& values,
                                          const std::string* workers, config::Problems& problems) {
  std::vector<harness::Alternative> alternatives;
  const std::string config = ConfigOf(workers);
  for (const Agent& agent : AgentsOf(values, problems)) {
    try {
      harness::AgentClient client(agent.command);
      const auto hello = client.Ask<harness::HelloReply>(harness::HelloRequest{}, kHelloLimit);
      client.Finish(kHelloLimit);
      if (hello.protocol != harness::kAgentProtocol) {
        throw std::runtime_error(fmt::format("the agent speaks protocol {}, not {}", hello.protocol,
                                             harness::kAgentProtocol));
      }
      for (const std::string& scheduler : ChosenOf(agent, hello)) {
        alternatives.push_back({.name = AlternativeName(agent, scheduler, hello),
                                .command = agent.command,
                                .scheduler = scheduler,
                                .config = config,
                                .runtime = fmt::format("{} {}", hello.runtime, hello.version),
                                .tasks = hello.tasks,
                                .workloads = hello.workloads,
                                .update = std::string(agent.is_peer ? kBuildPeers : "")});
      }
    } catch (const std::runtime_error& error) {
      problems.Add(fmt::format("--with {}", config::Escaped(agent.name)), "",
                   config::Escaped(error.what(), 1000));
    }
  }
  return alternatives;
}

std::vector<harness::Alternative> AlternativesAndPeers(const Arguments& arguments,
                                                       const std::vector<std::string>& words,
                                                       const std::string* workers,
                                                       config::Problems& problems) {
  std::vector<harness::Alternative> alternatives = AlternativesOf(words, workers, problems);
  for (const std::string& word : PerturbationsOfWorkers(arguments)) {
    for (harness::Alternative& alternative : alternatives) {
      alternative.command.push_back(word);
    }
  }
  for (const Flag* const flag : {&kPinFlag, &kStallFlag}) {
    if (arguments.Has(*flag) && arguments.Has(kWithFlag)) {
      problems.Add(
          std::string(flag->name), "",
          fmt::format("cannot be combined with {}: it acts only on workers of this program",
                      kWithFlag.name));
    }
  }
  for (harness::Alternative& peer : PeersOf(arguments.Values(kWithFlag), workers, problems)) {
    peer.name = UniqueName(peer.name, alternatives);
    alternatives.push_back(std::move(peer));
  }
  return alternatives;
}

}  // namespace schedbench::cli
