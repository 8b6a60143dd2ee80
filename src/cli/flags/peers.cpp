#include "cli/flags/peers.hpp"

#include "cli/flags/alternatives.hpp"
#include "cli/flags/perturbations.hpp"
#include "cli/flags/places.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "harness/agent/client.hpp"
#include "platform/process/command_words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
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
  std::string peer = "";  // the foreign runtime; "" for another program
  std::vector<std::string> command = {};
  std::string scheduler = "";  // one of its schedulers; "": all
  bool shares_name = false;    // another agent has the same name
  nlohmann::ordered_json config = nlohmann::ordered_json::object();
};

std::filesystem::path PeerFolder() {
  if (const char* const folder = std::getenv("SCHEDBENCH_PEERS")) {
    return folder;
  }
  std::error_code ignored;  // without /proc: an empty path, which holds nothing
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "peers";
}

// Returns the value of a setting as JSON: a number, otherwise a text.
nlohmann::ordered_json ValueOf(const std::string& text) {
  const auto number = nlohmann::ordered_json::parse(text, nullptr, false);
  return number.is_number() ? number : nlohmann::ordered_json(text);
}

// Returns the peer of "PEER", "NAME=PEER", "PEER:KEY=VALUE", without its settings and its command.
// `text` has no commas. Returns none if it is a setting, or with `is_first` the command of an
// agent. "PEER:KEY=VALUE" is a peer, even an unknown one.
std::optional<Agent> PeerOf(const std::string& text, bool is_first) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::size_t equals = text.substr(0, colon).find('=');
  const std::size_t start = equals == std::string::npos ? 0 : equals + 1;
  Agent agent{.name = text.substr(0, equals == std::string::npos ? colon : equals),
              .peer = text.substr(start, colon - start)};
  const bool is_peer = std::ranges::find(kPeerNames, agent.peer) != kPeerNames.end();
  const bool has_setting = text.find('=', colon) != std::string::npos;
  return is_peer || (start == 0 && (has_setting || colon == text.size())) ||
                 (!is_first && has_setting)
             ? std::optional(agent)
             : std::nullopt;
}

// Parses a list of peers. Returns none for the command of an agent: "mine=./agent --fast".
std::optional<std::vector<Agent>> PeersIn(const std::string& value) {
  std::vector<Agent> peers;
  for (const std::string& part : SplitAtCommas(value)) {
    if (part.empty()) {
      continue;
    }
    auto peer = PeerOf(part, peers.empty());
    const std::size_t start = peer ? part.find(':') + 1 : 0;
    const bool has_setting = !peer || start > 0;
    if (peer) {
      peers.push_back(std::move(*peer));
    } else if (peers.empty()) {
      return std::nullopt;
    }
    // The settings begin after the colon. Commas separate settings as well as peers.
    if (has_setting) {
      const std::string setting = part.substr(start);
      const std::size_t equals = setting.find('=');
      if (equals == std::string::npos) {
        return std::nullopt;
      }
      peers.back().config[setting.substr(0, equals)] = ValueOf(setting.substr(equals + 1));
    }
  }
  return peers;
}

// Without `workers`, or with auto, the peer takes its own default: one worker per CPU.
std::string ConfigOf(nlohmann::ordered_json config, const std::optional<std::string>& workers) {
  if (workers && *workers != "auto") {
    config["workers"] = ValueOf(*workers);
  }
  return config.dump();
}

// Adds "NAME=COMMAND", "NAME/SCHEDULER=COMMAND", or "NAME/*=COMMAND" for all of its schedulers.
void AddOwn(const std::string& value, std::size_t equals, const std::string& where,
            std::vector<Agent>& agents, config::Problems& problems) {
  const std::size_t slash = std::min(value.find('/'), equals);
  try {
    std::vector<std::string> command = platform::CommandWords(value.substr(equals + 1));
    if (slash == 0 || slash + 1 == equals || command.empty() || command.front().empty()) {
      Reject(problems, where,
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
    if (auto peers = PeersIn(value)) {
      for (Agent& peer : *peers) {
        auto command = CommandOfPeer(peer.peer, where, problems,
                                     "    --with NAME=COMMAND adds your own agent");
        if (command && CheckName(peer.name, where, problems)) {
          peer.command = std::move(*command);
          agents.push_back(peer);
        }
      }
      if (peers->empty()) {
        Reject(problems, where, "no peer is named; expected one of {}",
               fmt::join(kPeerNames, ", "));
      }
      continue;
    }
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos) {
      Reject(problems, where, "expected PEER:KEY=VALUE or NAME=COMMAND");
      continue;
    }
    AddOwn(value, equals, where, agents, problems);
  }
  for (Agent& agent : agents) {
    agent.shares_name = std::ranges::count(agents, agent.name, &Agent::name) > 1;
  }
  return agents;
}

constexpr std::string_view kEachScheduler = "*";

// Returns the measured schedulers of an agent. Throws std::runtime_error if it lacks the named one.
std::vector<std::string> ChosenOf(const Agent& agent, const harness::HelloReply& hello) {
  if (!agent.peer.empty() || agent.scheduler == kEachScheduler) {
    return hello.schedulers;
  }
  if (agent.scheduler.empty()) {
    const auto fast = std::ranges::find(hello.schedulers, "fast");
    const std::string& chosen = fast != hello.schedulers.end() ? *fast : hello.schedulers.front();
    return {chosen};
  }
  if (std::ranges::find(hello.schedulers, agent.scheduler) == hello.schedulers.end()) {
    const std::vector<std::string_view> known(hello.schedulers.begin(), hello.schedulers.end());
    throw std::runtime_error(fmt::format("the agent has no scheduler {}{}",
                                         config::Quoted(agent.scheduler),
                                         config::DidYouMean(agent.scheduler, known)));
  }
  return {agent.scheduler};
}

// Notes that the agent has other schedulers and the user did not choose one.
std::string NoteOnChoice(const Agent& agent, const harness::HelloReply& hello,
                         const std::string& scheduler) {
  if (!agent.peer.empty() || !agent.scheduler.empty() || hello.schedulers.size() == 1) {
    return "";
  }
  return fmt::format("{0} has {1} schedulers, and {2} is measured    --with '{0}/*=COMMAND'",
                     config::Escaped(agent.name), hello.schedulers.size(),
                     config::Escaped(scheduler));
}

std::string AlternativeName(const Agent& agent, const std::string& scheduler,
                            const harness::HelloReply& hello) {
  const bool is_one =
      hello.schedulers.size() == 1 ||
      (agent.peer.empty() && agent.scheduler != kEachScheduler && !agent.shares_name);
  if (is_one) {
    return agent.name;
  }
  return agent.peer.empty() ? agent.name + "/" + scheduler : scheduler;
}

}  // namespace

std::optional<std::vector<std::string>> CommandOfPeer(const std::string& name,
                                                      const std::string& where,
                                                      config::Problems& problems,
                                                      std::string_view remedy) {
  if (std::ranges::find(kPeerNames, name) == kPeerNames.end()) {
    Reject(problems, where, "unknown peer {}{}{}", config::Quoted(name),
           config::DidYouMean(name, kPeerNames), remedy);
    return std::nullopt;
  }
  const std::filesystem::path program = PeerFolder() / name;
  std::error_code ignored;  // the next check then finds no file
  if (!std::filesystem::is_regular_file(program, ignored)) {
    Reject(problems, where,
           "the peer {} is not built: there is no program {}    {}; SCHEDBENCH_PEERS names another "
           "folder of peers",
           name, config::Escaped(program.string()), kBuildPeers);
    return std::nullopt;
  }
  return std::vector<std::string>{program.string(), "agent"};
}

harness::HelloReply HelloOf(const std::vector<std::string>& command) {
  harness::AgentClient client(command);
  auto hello = client.Ask<harness::HelloReply>(harness::HelloRequest{}, kHelloLimit);
  client.Finish(kHelloLimit);
  if (hello.protocol != harness::kAgentProtocol) {
    throw std::runtime_error(fmt::format("the agent speaks protocol {}, not {}", hello.protocol,
                                         harness::kAgentProtocol));
  }
  return hello;
}

namespace {

// Returns the alternatives that `--with` adds. Each value is a list of peers ("go,tokio") or an
// agent of the user ("mine=./agent --fast", a command as a shell reads it). A peer may have another
// name and settings of its runtime ("big=go:gc_percent=400"). Starts every agent once to ask for
// its schedulers: each of a peer is an alternative; of another agent one is, which the value may
// name ("old/fast=former/schedbench agent"). `workers`, if given, replaces their number of workers.
// Adds to `problems`, with the command that builds a missing peer. Peers are in peers/ next to the
// running program, or in the folder of the environment variable SCHEDBENCH_PEERS.
std::vector<harness::Alternative> PeersOf(const std::vector<std::string>& values,
                                          const std::optional<std::string>& workers,
                                          config::Problems& problems) {
  std::vector<harness::Alternative> alternatives;
  for (const Agent& agent : AgentsOf(values, problems)) {
    try {
      const harness::HelloReply hello = HelloOf(agent.command);
      for (const std::string& scheduler : ChosenOf(agent, hello)) {
        alternatives.push_back({.name = AlternativeName(agent, scheduler, hello),
                                .command = agent.command,
                                .scheduler = scheduler,
                                .config = ConfigOf(agent.config, workers),
                                .runtime = fmt::format("{} {}", hello.runtime, hello.version),
                                .tasks = hello.tasks,
                                .workloads = hello.workloads,
                                .update = std::string(agent.peer.empty() ? "" : kBuildPeers),
                                .note = NoteOnChoice(agent, hello, scheduler)});
      }
    } catch (const std::runtime_error& error) {
      problems.Add(fmt::format("--with {}", config::Escaped(agent.name)), "",
                   config::Escaped(error.what(), 1000));
    }
  }
  return alternatives;
}

}  // namespace

std::vector<harness::Alternative> AlternativesAndPeers(const Arguments& arguments,
                                                       const std::vector<std::string>& words,
                                                       const std::optional<std::string>& workers,
                                                       config::Problems& problems) {
  std::vector<harness::Alternative> alternatives = AlternativesOf(words, workers, problems);
  for (const std::string& word : PerturbationsOfWorkers(arguments)) {
    for (harness::Alternative& alternative : alternatives) {
      alternative.command.push_back(word);
    }
  }
  if (arguments.Has(kWithFlag)) {
    RefuseFlags(arguments, FlagsOf(kPinFlag, kStallFlag),
                "cannot be combined with --with: it acts only on workers of this program",
                problems);
  }
  const std::size_t own = alternatives.size();
  for (harness::Alternative& peer : PeersOf(arguments[kWithFlag], workers, problems)) {
    peer.name = UniqueName(peer.name, alternatives);
    alternatives.push_back(std::move(peer));
  }
  // The first alternative on the command line is the reference of the others.
  if (!arguments.words.empty() && arguments.IsBeforeWords(kWithFlag)) {
    std::ranges::rotate(alternatives, alternatives.begin() + static_cast<std::ptrdiff_t>(own));
  }
  return alternatives;
}

}  // namespace schedbench::cli
