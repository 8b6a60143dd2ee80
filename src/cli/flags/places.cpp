#include "cli/flags/places.hpp"

#include "base/last_line.hpp"
#include "cli/flags/perturbations.hpp"
#include "config/quote.hpp"
#include "platform/process/child_process.hpp"
#include "platform/process/command_words.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace schedbench::cli {

namespace {

using harness::Place;
using harness::PlacePtr;

// Returns the words of a program in an environment variable.
std::vector<std::string> ProgramOf(const char* variable, const char* otherwise,
                                   config::Problems& problems) {
  const char* const program = std::getenv(variable);
  if (program == nullptr || *program == '\0') {
    return {otherwise};
  }
  try {
    std::vector<std::string> words = platform::CommandWords(program);
    if (!words.empty()) {
      return words;
    }
    Reject(problems, variable, "names no program");
  } catch (const std::invalid_argument& error) {
    problems.Add(variable, "", error.what());
  }
  return {otherwise};
}

std::string OwnPath() {
  std::error_code ignored;  // without /proc: an empty path, which no machine has
  return std::filesystem::read_symlink(harness::kOwnProgram, ignored).string();
}

std::vector<std::string> PrefixOfHost(const std::vector<std::string>& program,
                                      const std::string& host) {
  std::vector<std::string> prefix = program;
  prefix.insert(prefix.end(),
                {"-T",
                 // A question for a password would seem to be a hang.
                 "-o", "BatchMode=yes", "-o", "ConnectTimeout=15",
                 // A machine that has died does not close connections: it is noticed after 45 s.
                 "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3", "--", host});
  return prefix;
}

std::vector<std::string> PrefixOfNode(const std::vector<std::string>& program,
                                      const std::vector<std::string>& options,
                                      const std::string& node) {
  std::vector<std::string> prefix = program;
  // --overlap lets compared agents run at the same time: one measures while the others wait.
  prefix.insert(prefix.end(), {"--overlap", "--quiet"});
  prefix.insert(prefix.end(), options.begin(), options.end());
  prefix.insert(prefix.end(), {"--nodes=1", "--ntasks=1", "--nodelist=" + node});
  return prefix;
}

std::vector<std::string> HostsOf(const Arguments& arguments, config::Problems& problems) {
  std::vector<std::string> hosts;
  for (const std::string& value : arguments[kHostFlag]) {
    const auto names = SplitAtCommas(value);
    for (const std::string& name : names) {
      if (name.empty() || name.front() == '-' || !config::IsPrintable(name) ||
          name.find(' ') != std::string::npos) {
        Reject(problems, PlaceOf(kHostFlag, value),
               "{} is not the name of a host    --host box,alice@other", config::Quoted(name));
        return {};
      }
      hosts.push_back(name);
    }
    if (names.empty()) {
      Reject(problems, PlaceOf(kHostFlag, value), "no host is named    --host box,alice@other");
    }
  }
  return hosts;
}

// Expands "n[1-3]" to n1, n2, n3. Throws std::runtime_error.
std::vector<std::string> Expanded(const std::string& list) {
  if (list.find('[') == std::string::npos) {
    return SplitAtCommas(list);
  }
  constexpr std::chrono::seconds kLimit{30};
  std::vector<std::string> nodes;
  platform::ChildProcess scontrol({"scontrol", "show", "hostnames", list});
  for (std::string line; scontrol.ReadLine(line, kLimit) == platform::ChildProcess::Read::kLine;) {
    nodes.push_back(line);
  }
  const platform::ProcessEnd end = scontrol.Finish(kLimit);
  if (end.code != 0 || end.signal != 0) {
    throw std::runtime_error(fmt::format("scontrol show hostnames ended with {}: {}", end.Text(),
                                         config::Escaped(LastLine(scontrol.ErrorText()), 300)));
  }
  return nodes;
}

// `list`: the nodes that the user names; "": those of the allocation.
std::vector<std::string> NodesOf(std::string list, const std::string& where,
                                 config::Problems& problems) {
  if (const char* const allocated = std::getenv("SLURM_JOB_NODELIST");
      list.empty() && allocated != nullptr) {
    list = allocated;
  }
  if (list.empty()) {
    Reject(
        problems, where,
        "there is no allocation of Slurm    salloc --nodes 2 --exclusive --no-kill schedbench ...");
    return {};
  }
  try {
    std::vector<std::string> nodes = Expanded(list);
    const bool good = !nodes.empty() && std::ranges::all_of(nodes, [](const std::string& node) {
      return !node.empty() && node.front() != '-' && config::IsPrintable(node) &&
             node.find('/') == std::string::npos;
    });
    if (good) {
      return nodes;
    }
    Reject(problems, where, "{} is not a list of nodes    --nodelist n1,n2", config::Quoted(list));
  } catch (const std::exception& error) {
    Reject(problems, where, "cannot list the nodes of {}: {}", config::Quoted(list), error.what());
  }
  return {};
}

struct RefusedOption {
  std::string_view name;    // "--exclude"
  std::string_view letter;  // "x"; "": no short form
  std::string_view reason;
};

constexpr std::string_view kOwnNodes = "each agent runs on a node of its own    --nodelist";
constexpr std::string_view kOwnTasks = "an agent is one task on one node";
constexpr std::string_view kChangesOutput = "the output of srun is read by this program";

// Options that contradict those that each agent gets.
constexpr std::array kRefusedOptions{
    RefusedOption{"--nodefile", "F", kOwnNodes},
    RefusedOption{"--relative", "r", kOwnNodes},
    RefusedOption{"--exclude", "x", kOwnNodes},
    RefusedOption{"--nodes", "N", kOwnTasks},
    RefusedOption{"--ntasks", "n", kOwnTasks},
    RefusedOption{"--ntasks-per-node", "", kOwnTasks},
    RefusedOption{"--multi-prog", "", kOwnTasks},
    RefusedOption{"--exclusive", "",
                  "agents that are compared run at the same time    salloc --exclusive"},
    RefusedOption{"--label", "l", kChangesOutput},
    RefusedOption{"--verbose", "v", kChangesOutput},
    RefusedOption{"--pty", "", kChangesOutput},
    RefusedOption{"--input", "i", kChangesOutput},
    RefusedOption{"--output", "o", kChangesOutput},
    RefusedOption{"--error", "e", kChangesOutput}};

constexpr std::string_view kNodeList = "--nodelist";
constexpr std::string_view kWholeName = "write the whole name    --nodelist";

// Options whose value may be the next word (srun(1), Slurm 22.05). Others contain their value.
constexpr std::array<std::string_view, 15> kTakeNextWord{
    "--account", "--chdir",     "--constraint", "--cpu-bind",    "--cpus-per-task",
    "--gpus",    "--gres",      "--hint",       "--job-name",    "--mem",
    kNodeList,   "--partition", "--qos",        "--reservation", "--time"};
constexpr std::string_view kLettersWithValue = "ABCDGJLMSTWbcdmpqtw";

// Returns why a long option cannot be used; "" if it can. srun accepts the first letters of a name.
std::string_view ReasonAgainstLong(std::string_view name) {
  if (name == kNodeList) {
    return "";
  }
  for (const RefusedOption& refused : kRefusedOptions) {
    if (refused.name.starts_with(name)) {
      return refused.name == name || !kNodeList.starts_with(name) ? refused.reason : kWholeName;
    }
  }
  return kNodeList.starts_with(name) ? kWholeName : "";
}

// Returns why a word such as "-c2" cannot be used; "" if it can.
std::string_view ReasonAgainstShort(std::string_view word) {
  const std::string_view letter = word.substr(1, 1);
  const auto* const refused = std::ranges::find(kRefusedOptions, letter, &RefusedOption::letter);
  if (refused != kRefusedOptions.end()) {
    return refused->reason;
  }
  // The values of -I and -K are optional.
  const bool may_have_value = kLettersWithValue.find(letter) != std::string_view::npos ||
                              ((letter == "I" || letter == "K") &&
                               word.find_first_not_of("0123456789", 2) == std::string_view::npos);
  return word.size() == 2 || may_have_value ? "" : "write one short option in each word";
}

}  // namespace

std::string CheckSrunOptions(const std::vector<std::string>& words, const std::string& where,
                             config::Problems& problems) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_long = word.starts_with("--") && word.size() > 2;
    const bool is_short = !word.starts_with("--") && word.starts_with('-') && word.size() > 1;
    const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    std::string value = word.substr(std::min(name.size() + (is_long ? 1 : 0), word.size()));
    const std::string_view reason =
        is_long    ? ReasonAgainstLong(name)
        : is_short ? ReasonAgainstShort(word)
                   : "srun would run it as the program; if it is a value    --NAME=VALUE";
    if (!reason.empty()) {
      Reject(problems, where, "{} cannot be used: {}", config::Quoted(word), reason);
      continue;
    }
    const bool takes_next =
        is_long ? std::ranges::find(kTakeNextWord, word) != kTakeNextWord.end()
                : word.size() == 2 && kLettersWithValue.find(word[1]) != std::string_view::npos;
    if (takes_next && i + 1 < words.size()) {
      value = words[++i];
    }
    list = name == kNodeList || name == "-w" ? value : list;
  }
  return list;
}

namespace {

// Returns whether the flags fit together.
bool FlagsAgree(const Arguments& arguments, config::Problems& problems) {
  const std::size_t before = problems.List().size();
  const bool with_places = arguments.Has(kHostFlag) || arguments.Has(kSlurmFlag);
  if (arguments.Has(kHostFlag) && arguments.Has(kSlurmFlag)) {
    Reject(problems, kSlurmFlag, "cannot be combined with --host");
  }
  if (with_places) {
    RefuseFlags(arguments, FlagsOf(kHogFlag, kTimerSlackFlag),
                "cannot be combined with --host or --slurm: it acts on this machine only",
                problems);
  } else {
    RefuseFlags(arguments, FlagsOf(kRemoteToolFlag, kOnEachFlag), "needs --host or --slurm",
                problems);
  }
  return problems.List().size() == before;
}

}  // namespace

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

std::vector<PlacePtr> PlacesOf(const Arguments& arguments, config::Problems& problems) {
  if (!FlagsAgree(arguments, problems)) {
    return {};
  }
  const std::string tool = arguments[kRemoteToolFlag].value_or(OwnPath());
  std::vector<PlacePtr> places;
  std::set<std::string> names;
  const auto add = [&](Place place, const std::string& where) {
    if (!names.insert(place.name).second) {
      Reject(problems, where, "{} is given twice", place.Text());
      return;
    }
    places.push_back(std::make_shared<const Place>(std::move(place)));
  };
  if (tool.empty()) {
    const bool is_given = arguments.Has(kRemoteToolFlag);
    Reject(problems, is_given ? std::string(kRemoteToolFlag.name) : "",
           "{}    --remote-tool /usr/local/bin/schedbench",
           is_given ? "is empty" : "the path of this program is unknown without /proc");
    return {};
  }
  const std::vector<std::string> ssh = ProgramOf("SCHEDBENCH_SSH", "ssh", problems);
  const std::vector<std::string> srun = ProgramOf("SCHEDBENCH_SRUN", "srun", problems);
  for (const std::string& host : HostsOf(arguments, problems)) {
    add({.kind = Place::Kind::kHost, .name = host, .prefix = PrefixOfHost(ssh, host), .tool = tool},
        std::string(kHostFlag.name));
  }
  if (const auto value = arguments[kSlurmFlag]) {
    const std::string where = PlaceOf(kSlurmFlag, *value);
    try {
      const std::vector<std::string> options = platform::CommandWords(*value);
      const std::string list = CheckSrunOptions(options, where, problems);
      if (!problems.empty()) {
        return {};
      }
      for (const std::string& node : NodesOf(list, where, problems)) {
        add({.kind = Place::Kind::kNode,
             .name = node,
             .prefix = PrefixOfNode(srun, options, node),
             .tool = tool},
            where);
      }
    } catch (const std::invalid_argument& error) {
      problems.Add(where, "", error.what());
    }
  }
  return places;
}

}  // namespace schedbench::cli
