#include "harness/agent/check.hpp"

#include "harness/agent/agreement.hpp"
#include "harness/agent/client.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace schedbench::harness {

namespace {

// The limit of an answer that needs no work, on a machine that is busy with other things too.
constexpr std::chrono::seconds kPrompt{30};

constexpr std::chrono::hours kNever{100'000};

// Says what is wrong with an answer.
class Broken : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Says why a rule cannot be tried.
class Skipped : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A round of this length uses CPU time, however coarse the CPU clock is.
constexpr std::uint64_t kLongRoundNs = 100'000'000;

// An agent needs time in addition to the work of a round, and so does a busy machine: a smaller
// part of a longer time is not a measurement. Both limits are arbitrary.
constexpr std::uint64_t kLongReplyNs = 1'000'000'000;
constexpr std::uint64_t kLargestPart = 1000;

void Require(bool good, const std::string& complaint) {
  if (!good) {
    throw Broken(complaint);
  }
}

class Checker {
 public:
  Checker(const std::vector<std::string>& command, const AgentCheckOptions& options,
          const std::function<bool()>& cancelled)
      : command_(command),
        options_(options),
        cancelled_(cancelled),
        limit_(options.limit == std::chrono::nanoseconds::zero() ? kNever : options.limit) {
  }

  AgentChecks Check() {
    Try("answers hello with its schedulers and workloads", [this] { SayHello(); });
    if (result_.AllGood()) {
      CheckRefusals();
      CheckWork();
      CheckEnds();
    }
    return std::move(result_);
  }

 private:
  // Starts a fresh agent where the last one was lost, so that each rule is always tried.
  AgentClient& Agent() {
    if (agent_ == nullptr) {
      agent_ = std::make_unique<AgentClient>(command_, cancelled_);
    }
    return *agent_;
  }

  void Try(std::string rule, const std::function<void()>& attempt) {
    AgentCheck check{.rule = std::move(rule), .wrong = ""};
    try {
      attempt();
    } catch (const AgentRefused& refused) {
      check.wrong =
          fmt::format("it refuses ({}): {}", ToText(refused.Reply().kind), refused.what());
    } catch (const AgentNotStarted&) {
      throw;
    } catch (const AgentLost& lost) {
      check.wrong = lost.what();
      agent_.reset();
    } catch (const Broken& broken) {
      check.wrong = broken.what();
    } catch (const Skipped& skipped) {
      check.skipped = skipped.what();
    }
    if (!check.wrong.empty()) {
      agent_.reset();  // it is unknown what is open
    }
    result_.checks.push_back(std::move(check));
  }

  // Checks that the agent answers the line with an error of this kind, and continues to run.
  void TryRefusal(const std::string& rule, ErrorReply::Kind kind, const std::string& line) {
    Try(rule, [&] {
      const AgentReply reply = Agent().Exchange(line, kPrompt);
      const auto* const error = std::get_if<ErrorReply>(&reply);
      Require(error != nullptr, "it accepts it");
      Require(error->kind == kind, fmt::format("it replies with the kind \"{}\" instead of \"{}\"",
                                               ToText(error->kind), ToText(kind)));
      Require(!error->message.empty(), "its error has no message");
      Agent().Ask<HelloReply>(HelloRequest{}, kPrompt);
    });
  }

  void SayHello() {
    hello_ = Agent().Ask<HelloReply>(HelloRequest{}, kPrompt);
    result_.agent = hello_.runtime + " " + hello_.version;
    Require(hello_.protocol == kAgentProtocol,
            fmt::format("its protocol is {}, not {}", hello_.protocol, kAgentProtocol));
    Require(!hello_.schedulers.empty(), "it has no scheduler");
    Require(!hello_.workloads.empty(), "it has no workload");
    Require(!hello_.runtime.empty() && !hello_.tasks.empty(), "a name is empty");
  }

  OpenRequest Opening(const std::string& scheduler, const std::string& workload) const {
    // A double does not hold it.
    constexpr std::uint64_t kSeed = std::numeric_limits<std::uint64_t>::max();
    const auto found = options_.parameters.find(workload);
    return {.scheduler = scheduler,
            .workload = workload,
            .parameters = found == options_.parameters.end() ? "{}" : found->second,
            .seed = kSeed,
            .timeout = limit_};
  }

  OpenRequest FirstOpening() const {
    return Opening(hello_.schedulers.front(), hello_.workloads.front());
  }

  void CheckRefusals() {
    using Kind = ErrorReply::Kind;
    TryRefusal("refuses another protocol", Kind::kInput, ToLine(HelloRequest{.protocol = 99999}));
    TryRefusal("refuses a line that is not JSON, and continues", Kind::kInput, "{\"request\": ");
    TryRefusal("refuses an unknown request", Kind::kInput, "{\"request\": \"dance\"}");
    TryRefusal("refuses a request with an unknown key", Kind::kInput,
               R"({"request": "round", "no_such_key": 1})");
    TryRefusal("refuses a round when nothing is open", Kind::kInput,
               ToLine(RoundRequest{"a round"}));
    TryRefusal("refuses to close when nothing is open", Kind::kInput, ToLine(CloseRequest{}));
    TryRefusal("refuses an unknown scheduler as unsupported", Kind::kUnsupported,
               ToLine(Opening("no_such_scheduler", hello_.workloads.front())));
    TryRefusal("refuses an unknown workload as unsupported", Kind::kUnsupported,
               ToLine(Opening(hello_.schedulers.front(), "no_such_workload")));
    OpenRequest open = FirstOpening();
    open.parameters = R"({"no_such_parameter": 1})";
    TryRefusal("refuses an unknown parameter", Kind::kInput, ToLine(open));
    open.parameters = "{}";
    open.config = R"({"no_such_field": 1})";
    TryRefusal("refuses an unknown field of the config", Kind::kInput, ToLine(open));
  }

  void CheckWork() {
    const std::string& first = hello_.schedulers.front();
    for (const std::string& workload : options_.chosen) {
      if (std::ranges::find(hello_.workloads, workload) == hello_.workloads.end()) {
        Try(fmt::format("runs {} on {}", workload, first),
            [] { throw Broken("its reply to hello does not list that workload"); });
      }
    }
    for (const std::string& workload : hello_.workloads) {
      Try(fmt::format("runs {} on {}", workload, first), [&] { DoRounds(first, workload); });
      const bool is_opened =
          result_.checks.back().wrong.empty() && result_.checks.back().skipped.empty();
      const auto changed = options_.changed.find(workload);
      if (is_opened && changed != options_.changed.end() && !options_.chosen.contains(workload)) {
        Try(fmt::format("opens {} with another parameter", workload), [&] {
          OpenRequest open = Opening(first, workload);
          open.parameters = changed->second;
          RequireOpened(open);
          Agent().Ask<CloseReply>(CloseRequest{}, limit_);
        });
      }
    }
    for (std::size_t i = 1; i < hello_.schedulers.size(); ++i) {
      const std::string& scheduler = hello_.schedulers[i];
      const std::string& workload = hello_.workloads[i % hello_.workloads.size()];
      Try(fmt::format("runs {} on {}", workload, scheduler),
          [&] { DoRounds(scheduler, workload); });
    }
    Try("refuses to open twice, and to close twice", [this] {
      Agent().Ask<OpenReply>(FirstOpening(), limit_);
      const AgentReply second = Agent().Exchange(ToLine(FirstOpening()), kPrompt);
      const auto* const error = std::get_if<ErrorReply>(&second);
      Require(error != nullptr && error->kind == ErrorReply::Kind::kInput,
              "it accepts a second open");
      Agent().Ask<CloseReply>(CloseRequest{}, limit_);
      const AgentReply again = Agent().Exchange(ToLine(CloseRequest{}), kPrompt);
      const auto* const refusal = std::get_if<ErrorReply>(&again);
      Require(refusal != nullptr && refusal->kind == ErrorReply::Kind::kInput,
              "it accepts a second close");
    });
    Try("accepts the number of workers that its config shows", [this] {
      const auto opened = Agent().Ask<OpenReply>(FirstOpening(), limit_);
      Agent().Ask<CloseReply>(CloseRequest{}, limit_);
      const auto config = nlohmann::ordered_json::parse(opened.config);
      if (!config.contains("workers")) {
        throw Skipped("its config has no workers");
      }
      OpenRequest open = FirstOpening();
      open.config = nlohmann::ordered_json{{"workers", config["workers"]}}.dump();
      Agent().Ask<OpenReply>(open, limit_);
      Agent().Ask<CloseReply>(CloseRequest{}, limit_);
    });
  }

  // Does rounds as `compare` does: in a fresh process, whose first request is to open.
  void DoRounds(const std::string& scheduler, const std::string& workload) {
    const OpenRequest request = Opening(scheduler, workload);
    agent_.reset();
    try {
      RequireOpened(request);
    } catch (const AgentRefused& refused) {
      // A machine that is too small for the parameters says nothing against the agent.
      const ErrorReply::Kind kind = refused.Reply().kind;
      if (kind == ErrorReply::Kind::kLimit ||
          (kind == ErrorReply::Kind::kInput && options_.chosen.contains(workload))) {
        throw Skipped(fmt::format("it refuses ({}): {}", ToText(kind), refused.what()));
      }
      throw;
    }
    const RoundReply first = CheckedRound(RoundRequest{.name = "round 1"});
    const RoundReply audit = CheckedRound(RoundRequest{.name = "the audit", .audit = true});
    const RoundReply second = CheckedRound(RoundRequest{.name = "round 2"});
    Agent().Ask<CloseReply>(CloseRequest{}, limit_);
    RequireGoodEnd();
    RequireSame("operations in the audit", audit.operations, "its first round", first.operations);
    RequireSame("operations in round 2", second.operations, "its first round", first.operations);
    const std::optional<RoundReply>& reference = AuditOfReference(workload);
    if (!reference) {
      return;
    }
    RequireSame("operations in a round", first.operations, "schedbench", reference->operations);
    const registry::WorkloadEntry* const entry = registry::FindWorkload(workload);
    for (const std::string_view key : {kSpawns, kInlineCalls}) {
      if (entry == nullptr || SpawnsVary(*entry, request.parameters)) {
        continue;
      }
      const auto counted = CountOf(audit, key);
      const auto expected = CountOf(*reference, key);
      if (counted && expected) {
        RequireSame(fmt::format("{} in the audit", key), *counted, "schedbench", *expected);
      }
    }
  }

  void RequireOpened(const OpenRequest& request) {
    const auto opened = Agent().Ask<OpenReply>(request, limit_);
    const std::string difference = DifferenceOfParameters(request.parameters, opened.parameters);
    Require(difference.empty(), "in its reply to open, " + difference);
  }

  static void RequireSame(std::string_view what, std::uint64_t counted, std::string_view other,
                          std::uint64_t expected) {
    Require(counted == expected,
            fmt::format("it counts {} {}, but {} counts {}", counted, what, other, expected));
  }

  RoundReply CheckedRound(const RoundRequest& round) {
    const std::uint64_t begin = platform::NowNs();
    RoundReply reply = Agent().Ask<RoundReply>(round, limit_);
    const std::uint64_t took = platform::ElapsedNs(begin);
    Require(reply.operations > 0, round.name + ": no operations");
    Require(reply.wall_ns > 0, round.name + ": no time has passed");
    Require(reply.wall_ns <= took, fmt::format("{}: wall_ns is {}, but the reply came after {} ns",
                                               round.name, reply.wall_ns, took));
    Require(took < kLongReplyNs || reply.wall_ns >= took / kLargestPart,
            fmt::format("{}: wall_ns is {}, but the reply came after {} ns", round.name,
                        reply.wall_ns, took));
    Require(reply.cpu_ns > 0 || reply.wall_ns < kLongRoundNs,
            fmt::format("{}: cpu_ns is 0 in {} ns", round.name, reply.wall_ns));
    Require(reply.peak_rss_bytes > 0, round.name + ": no memory is used");
    return reply;
  }

  // Audits the workload by the reference; none if it lacks it or cannot run it here.
  const std::optional<RoundReply>& AuditOfReference(const std::string& workload) {
    const auto [known, is_new] = audits_.try_emplace(workload);
    if (is_new && options_.parameters.contains(workload)) {
      try {
        AgentClient reference(options_.reference, cancelled_);
        reference.Ask<OpenReply>(Opening(options_.reference_scheduler, workload), limit_);
        known->second =
            reference.Ask<RoundReply>(RoundRequest{.name = "the audit", .audit = true}, limit_);
      } catch (const AgentRefused&) {
        known->second = std::nullopt;
      } catch (const AgentLost&) {
        known->second = std::nullopt;
      }
    }
    return known->second;
  }

  void CheckEnds() {
    Try("ends with exit code 0 when its input ends", [this] {
      Agent().Ask<HelloReply>(HelloRequest{}, std::max<std::chrono::nanoseconds>(kPrompt, limit_));
      RequireGoodEnd();
    });
    Try("ends with exit code 0 when its input ends while a workload is open", [this] {
      Agent().Ask<OpenReply>(FirstOpening(), limit_);
      RequireGoodEnd();
    });
  }

  // Closes the input of the agent.
  void RequireGoodEnd() {
    const platform::ProcessEnd end = Agent().Finish(kPrompt);
    agent_.reset();
    Require(end.code == 0 && end.signal == 0, fmt::format("it ends with {}", end.Text()));
  }

  const std::vector<std::string>& command_;
  const AgentCheckOptions& options_;
  const std::function<bool()>& cancelled_;
  const std::chrono::nanoseconds limit_;
  std::unique_ptr<AgentClient> agent_;
  HelloReply hello_;
  std::map<std::string, std::optional<RoundReply>> audits_;  // audits of the reference, by workload
  AgentChecks result_;
};

}  // namespace

bool AgentChecks::AllGood() const {
  return std::ranges::all_of(checks, [](const AgentCheck& check) { return check.wrong.empty(); });
}

AgentChecks CheckAgent(const std::vector<std::string>& command, const AgentCheckOptions& options,
                       const std::function<bool()>& cancelled) {
  return Checker(command, options, cancelled).Check();
}

}  // namespace schedbench::harness
