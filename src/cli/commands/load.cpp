#include "harness/load/load.hpp"

#include "base/text.hpp"
#include "base/vector_of.hpp"
#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/places.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/reach_places.hpp"
#include "config/settings_json.hpp"
#include "config/suggest.hpp"
#include "harness/load/analysis.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/net/socket_address.hpp"
#include "platform/process/interrupt.hpp"
#include "report/load/load_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace schedbench::cli {

namespace {

using harness::PlacePtr;

constexpr std::string_view kHere = "local";

constexpr auto kSentFlag = kWorkloadFlag
                               .Described(
                                   "What to send: echo_open:connections=16,arrivals=constant; "
                                   "connections are those of each generator")
                               .Once("a load has one workload")
                               .Default("echo_open");
constexpr auto kRateFlag =
    NumberFlag{"--rate", "", "N", "Requests per second of all generators together"}
        .Checked(WholeNumber(1, 100'000'000))
        .Default("10000");
constexpr auto kDurationFlag =
    TimeFlag{"--duration", "", "TIME", "How long the generators send: 500ms, 10s, 2m"}.Default(
        "10s");
constexpr auto kServerFlag =
    TextFlag{"--server", "", "LIST", "Where the servers run: machines and local, a or a,b"}
        .Once("write all machines into one value")
        .Default(kHere);
constexpr auto kFromFlag =
    TextFlag{"--from", "", "LIST",
             "Where the generators run: machines and local, a,b or a,a (default: all machines "
             "without a server; if there are none, local)"}
        .Once("write all machines into one value");
constexpr auto kGeneratorFlag =
    TextFlag{"--generator", "", "WHAT", "The scheduler of the generators, or a config"}
        .Completed(Names::kAlternative)
        .Default("fast");
constexpr auto kAddressFlag =
    TextFlag{"--address", "", "HOST[:PORT]",
             "Where the generators reach the server (default: the name of its machine, or "
             "127.0.0.1 if all parts run on one machine; a port that is free)"};

constexpr auto kLoadFlags =
    FlagsOf(kSentFlag, kRateFlag, kDurationFlag, kServerFlag, kFromFlag, kGeneratorFlag,
            kWorkersFlag, kAddressFlag, kPlaceFlags, kSeedFlag, kOutputFlags);

constexpr std::string_view kLoadDetails =
    R"(Generators send requests to servers, each in a process of its own, on this machine or on others.
WHAT is the scheduler of the servers, or a config (default: fast). --host or --slurm name the
machines, --server and --from choose among them; `local` is this machine. The generators are given
the servers in turn.

The load is open: each request is due at a time drawn in advance, whether or not earlier requests
have been answered. All generators begin together, each by its own clock. A latency begins when the
request is due, so that a generator that is late does not hide waiting. "delay" is the part until
the request begins to be sent: it waits for the CPU of its generator, and for its connection, which
has one request at a time. A request that waits 10 s for a free connection, or for its answer,
counts as unanswered: its latency is infinite.

The percentiles of all generators are those of all their latencies together, and exact. The offset
of each clock is measured before and after the load; it is wrong by at most half of the shortest
round trip. No latency is a difference of two clocks.

A generator or a server that is lost leaves a hole: the result has the others, and the exit code is
2, or 4 if it has crashed or gave a wrong answer. Requests without an answer are code 2, too.

While it runs, a server echoes all that any client sends to its port. Without --address, it listens
at all addresses of its machine if a part runs on another one.
)";

bool ParsesAsPort(std::string_view text) {
  const auto port = schedbench::WholeNumber(text);
  return port && std::in_range<std::uint16_t>(*port);
}

// Returns a machine by its name; null, which is this machine, for kHere.
std::optional<PlacePtr> PlaceNamed(const std::string& name, const std::vector<PlacePtr>& places,
                                   const std::string& where, config::Problems& problems) {
  if (name == kHere) {
    return PlacePtr(nullptr);
  }
  std::vector<std::string_view> names{kHere};
  for (const PlacePtr& place : places) {
    if (place->name == name) {
      return place;
    }
    names.push_back(place->name);
  }
  Reject(problems, where,
         "{} is not one of the machines{}    --host box1,box2 or --slurm name them",
         config::Quoted(name), config::DidYouMean(name, names));
  return std::nullopt;
}

bool Contains(const std::vector<PlacePtr>& places, const PlacePtr& place) {
  return std::ranges::find(places, place) != places.end();
}

// Returns the machines in the list of a flag.
std::vector<PlacePtr> PlacesIn(const Flag& flag, const std::string& list,
                               const std::vector<PlacePtr>& places, config::Problems& problems) {
  std::vector<PlacePtr> chosen;
  const auto names = SplitAtCommas(list);
  for (const std::string& name : names) {
    if (const auto place = PlaceNamed(name, places, PlaceOf(flag, list), problems)) {
      chosen.push_back(*place);
    }
  }
  if (names.empty()) {
    Reject(problems, PlaceOf(flag, list), "no machine is named    {} {}", flag.name, kHere);
  }
  return chosen;
}

// Chooses the machines by the names in --server and --from.
void ChooseMachines(const Arguments& arguments, const std::vector<PlacePtr>& places,
                    harness::LoadPlan& plan, config::Problems& problems) {
  const std::string servers = arguments[kServerFlag];
  plan.servers = PlacesIn(kServerFlag, servers, places, problems);
  if (const auto from = arguments[kFromFlag]) {
    plan.generators = PlacesIn(kFromFlag, *from, places, problems);
  } else {
    std::ranges::copy_if(places, std::back_inserter(plan.generators),
                         [&plan](const PlacePtr& place) { return !Contains(plan.servers, place); });
    if (plan.generators.empty()) {
      plan.generators.push_back(nullptr);
    }
  }
  if (problems.empty() && plan.servers.size() > plan.generators.size()) {
    Reject(problems, PlaceOf(kServerFlag, servers), "more servers ({}) than generators ({})    {}",
           plan.servers.size(), plan.generators.size(), kFromFlag.name);
  }
  constexpr std::size_t kMost = 1000;  // arbitrary: each is a process, with a thread here
  if (plan.generators.size() > kMost) {
    Reject(problems, kFromFlag, "{} generators; expected at most {}", plan.generators.size(),
           kMost);
  }
  // Machines that are not used are not asked.
  std::ranges::copy_if(places, std::back_inserter(plan.places), [&plan](const PlacePtr& place) {
    return Contains(plan.servers, place) || Contains(plan.generators, place);
  });
  plan.uses_here = Contains(plan.servers, nullptr) || Contains(plan.generators, nullptr);
}

void ChooseAddress(const Arguments& arguments, harness::LoadPlan& plan,
                   config::Problems& problems) {
  const auto address = arguments[kAddressFlag];
  if (!address) {
    constexpr std::string_view kLoopback = "127.0.0.1";
    const std::size_t servers = plan.servers.size();
    for (std::size_t i = 0; i < servers; ++i) {
      const PlacePtr& server = plan.servers[i];
      bool is_local = true;  // local to each of its generators
      for (std::size_t j = i; j < plan.generators.size(); j += servers) {
        is_local = is_local && plan.generators[j] == server;
      }
      const std::string name = server == nullptr ? platform::HostName() : server->name;
      plan.reach.push_back(is_local ? std::string(kLoopback) : name.substr(name.find('@') + 1));
    }
    const bool all_are_local =
        std::ranges::all_of(plan.reach, [&](const std::string& host) { return host == kLoopback; });
    plan.listen = all_are_local ? "127.0.0.1:0" : "0.0.0.0:0";
    return;
  }
  const std::size_t colon = address->rfind(':');
  const bool has_port = colon != std::string::npos && address->back() != ']';
  const std::string host = has_port ? address->substr(0, colon) : *address;
  const std::string port = has_port ? address->substr(colon + 1) : "0";
  if (host.empty() || !ParsesAsPort(port) || !config::IsPrintable(host) ||
      host.find_first_of(" /@") != std::string::npos ||
      (host.find(':') != std::string::npos && host.front() != '[')) {
    Reject(problems, PlaceOf(kAddressFlag, *address),
           "{} is not an address; expected HOST or HOST:PORT with a port of at most 65535    "
           "--address "
           "10.0.0.1:7000 or [2001:db8::1]:7000",
           config::Quoted(*address));
    return;
  }
  if (std::ranges::count(plan.servers, plan.servers.front()) != std::ssize(plan.servers)) {
    Reject(problems, PlaceOf(kAddressFlag, *address),
           "one address for servers on several machines    without {} each has the name of its "
           "machine",
           kAddressFlag.name);
    return;
  }
  plan.reach.assign(plan.servers.size(), host);
  // A name may have several addresses, and a different one there.
  const bool is_number = platform::SocketAddress::Parse(host + ":" + port).has_value();
  plan.listen = (is_number ? host : "0.0.0.0") + ":" + port;
}

// `flag`: the flag of the word; "" without a flag.
std::optional<harness::Alternative> OneScheduler(const Arguments& arguments, std::string_view flag,
                                                 const std::string& word, config::Problems& all) {
  config::Problems problems;
  // Take only what was given: by default the number of workers is that of the CPUs there.
  auto alternatives = AlternativesOf({word}, arguments[kWorkersFlag], problems, ConfigForm::kGiven);
  if (alternatives.size() > 1) {
    Reject(problems, config::Escaped(word), "a load takes one scheduler for all of its {}",
           flag.empty() ? "servers" : "generators");
  }
  for (config::Problem problem : problems.List()) {
    if (!flag.empty()) {
      problem.where = fmt::format("{}{}{}", flag, problem.where.empty() ? "" : " ", problem.where);
    }
    all.Add(std::move(problem));
  }
  return alternatives.empty() ? std::nullopt : std::optional(std::move(alternatives.front()));
}

void ChooseLoad(const Arguments& arguments, harness::LoadPlan& plan, config::Problems& problems) {
  const std::string text = arguments[kSentFlag];
  const std::string where = PlaceOf(kWorkloadFlag, text);
  auto workload = ChooseWorkload(text, problems);
  if (!workload) {
    return;
  }
  if (workload->entry->make_half == nullptr) {
    const auto known =
        VectorOf(registry::Workloads() | std::views::filter(&registry::WorkloadEntry::make_half),
                 &registry::WorkloadEntry::name);
    Reject(problems, where, "{} cannot be divided into clients and a server; expected {}",
           workload->entry->name, fmt::join(known, ", "));
    return;
  }
  const registry::OpenLoad& open = *workload->entry->open_load;
  for (const auto& [parameter, flag] :
       {std::pair(open.rate, kRateFlag.name), std::pair(open.operations, kDurationFlag.name)}) {
    if (SpecSets(text, parameter)) {
      problems.Add(where, std::string(parameter), fmt::format("load itself sets it    {}", flag));
    }
  }
  plan.workload = workload->entry;
  plan.workload_text = text;
  plan.rate = static_cast<double>(arguments[kRateFlag]);
  plan.duration = arguments[kDurationFlag];
  if (!problems.empty()) {
    return;
  }
  const double rate = plan.rate / static_cast<double>(plan.generators.size());
  const double requests = std::round(rate * std::chrono::duration<double>(plan.duration).count());
  const std::string numbers =
      PlaceOf(kRateFlag, arguments) + " " + PlaceOf(kDurationFlag, arguments);
  if (rate < 1 || requests < 1 || requests > 1e8) {
    Reject(problems, numbers,
           "each generator would send {:.3g} requests at {:.3g}/s; expected 1 to 100 million, and "
           "at least 1/s",
           requests, rate);
    return;
  }
  auto parameters = config::ToJson(workload->parameters);
  plan.requests = static_cast<std::uint64_t>(requests);
  parameters[std::string(open.rate)] = rate;
  parameters[std::string(open.operations)] = plan.requests;
  plan.parameters = parameters.dump();
}

harness::LoadPlan LoadPlanOf(const Arguments& arguments) {
  config::Problems problems;
  harness::LoadPlan plan;
  const std::vector<PlacePtr> places = PlacesOf(arguments, problems);
  for (const PlacePtr& place : places) {
    if (place->name == kHere) {
      Reject(problems, std::string(arguments.Has(kHostFlag) ? kHostFlag.name : kSlurmFlag.name),
             "'{}' names this machine; a load needs another name for that one    {} alice@{}",
             kHere, kHostFlag.name, kHere);
    }
  }
  problems.ThrowIfAny();
  ChooseMachines(arguments, places, plan, problems);
  problems.ThrowIfAny();
  ChooseAddress(arguments, plan, problems);
  ChooseLoad(arguments, plan, problems);
  auto server = OneScheduler(arguments, "",
                             arguments.words.empty() ? "fast" : arguments.words.front(), problems);
  auto clients = OneScheduler(arguments, kGeneratorFlag.name, arguments[kGeneratorFlag], problems);
  problems.ThrowIfAny();
  plan.server = std::move(*server);
  plan.clients = std::move(*clients);
  plan.seed = SeedFromFlags(arguments);
  return plan;
}

// Asks all machines for their version and their facts. Nothing has been started yet.
void Greet(const Arguments& arguments, harness::LoadPlan& plan) {
  const std::vector<PlacePtr> known = Greeted(arguments, plan.places, {});
  const auto renew = [&](PlacePtr& place) {
    const auto at = std::ranges::find(plan.places, place);
    if (at != plan.places.end()) {
      place = known[static_cast<std::size_t>(at - plan.places.begin())];
    }
  };
  std::ranges::for_each(plan.servers, renew);
  std::ranges::for_each(plan.generators, renew);
  plan.places = known;
  if (plan.uses_here) {
    const auto never = [] { return false; };
    try {
      plan.here = harness::Greet(nullptr, {harness::kOwnProgram, "agent"}, never)
                      .machine.value_or(harness::AgentMachine());
    } catch (const std::runtime_error& error) {
      RefuseInput("agent   {}", error.what());
    }
  }
}

ExitCode LoadCode(const report::LoadResult& result) {
  if (!result.data.complete) {
    return ExitCode::kInterrupted;
  }
  ExitCode code = ExitCode::kDone;
  const auto add = [&code](const harness::LoadPart& part, bool has_unanswered) {
    const bool has_failed = !part.failure.empty() && !part.refused;
    const bool is_less = !part.failure.empty() || !part.trouble.empty() || has_unanswered;
    if (has_failed) {
      code = ExitCode::kWrongAnswer;
    } else if (is_less) {
      code = std::max(code, ExitCode::kInput);
    }
  };
  for (const harness::Server& server : result.data.servers) {
    add(server.part, false);
  }
  for (const harness::Generator& generator : result.data.generators) {
    add(generator.part, generator.unanswered > 0);
  }
  return code;
}

ExitCode Load(const Arguments& arguments) {
  report::LoadResult result;
  result.plan = LoadPlanOf(arguments);
  const Delivery delivery = Delivery::Of<report::LoadResult>(arguments);
  Greet(arguments, result.plan);
  ProgressLine line(arguments);
  result.machine = platform::ThisMachine();
  result.command = arguments.command_line;
  platform::InterruptibleEvent interrupt;
  result.data = harness::MeasureLoad(
      result.plan,
      {.progress = std::bind_front(&ProgressLine::ShowStep, &line),
       .cancelled = std::bind_front(&platform::InterruptibleEvent::HasCome, &interrupt)});
  line.Stop();
  result.analysis = harness::AnalyseLoad(result.plan, result.data);
  delivery.Deliver(result);
  return LoadCode(result);
}

const CommandRegistration kLoad{{
    .place = 70,
    .name = "load",
    .summary = "send requests from some machines to servers on others",
    .words = kAlternative,
    .flags = kLoadFlags,
    .details = kLoadDetails,
    .examples =
        R"(  schedbench load fast --rate 20000 --duration 5s
  schedbench load fast --from local,local -w echo_open:connections=16,bytes=1024 -o load.json
  schedbench load global_fifo --host box1,box2,box3 --server box1 --rate 100000 --duration 30s
  schedbench load fast --host a,b,c,d --server a,b --rate 200000 --duration 30s
  salloc --nodes 3 --exclusive schedbench load fast --slurm '' --server n1 --address 10.0.0.1
)",
    .run = &Load,
}};

}  // namespace

}  // namespace schedbench::cli
