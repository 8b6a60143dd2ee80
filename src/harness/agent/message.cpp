#include "harness/agent/message.hpp"

#include "config/json_document.hpp"
#include "record/message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace schedbench::harness {

namespace {

using enum record::Presence;

// The kinds are in the order of AgentRequest and AgentReply.
constexpr std::array<std::string_view, 6> kRequestKinds{"hello", "open",  "round",
                                                        "close", "clock", "latencies"};
constexpr std::array<std::string_view, 7> kReplyKinds{"hello", "open",  "round",    "close",
                                                      "error", "clock", "latencies"};
static_assert(kRequestKinds.size() == std::variant_size_v<AgentRequest>);
static_assert(kReplyKinds.size() == std::variant_size_v<AgentReply>);

// A message holds a config as a member.
constexpr std::size_t kDeepestMessage = config::JsonDocument::kDeepestNesting + 1;

constexpr auto kRequests = record::Requests(kRequestKinds, kDeepestMessage);
constexpr auto kReplies = record::Replies(kReplyKinds, kDeepestMessage);

constexpr std::uint64_t kMaxNs = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMaxCpus = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxProtocol = 1'000'000;

constexpr std::array<std::string_view, 2> kHalves{"server", "clients"};
constexpr std::array<std::string_view, 2> kTimes{"latency", "delay"};

// Writes ascending values as their differences.
void WriteDifferences(const void* value, record::Json& json) {
  json = record::Json::array();
  std::uint64_t last = 0;
  for (const std::uint64_t one : *static_cast<const std::vector<std::uint64_t>*>(value)) {
    json.push_back(one - std::exchange(last, one));
  }
}

void ReadDifferences(void* value, const record::Json& json, const record::Place& place) {
  auto& values = *static_cast<std::vector<std::uint64_t>*>(value);
  record::kType<std::vector<std::uint64_t>>.read(&values, json, place);
  std::uint64_t last = 0;
  for (std::uint64_t& one : values) {
    if (one > std::numeric_limits<std::uint64_t>::max() - last) {
      place.Refuse("the sum of the elements is too large");
    }
    one = last += one;
  }
}

constexpr record::Type kDifferences{record::Type::Kind::kArray, &WriteDifferences, &ReadDifferences,
                                    &record::kType<std::uint64_t>};

}  // namespace

// The keys of each message, in the order in which they are written.

record::Of<HelloRequest> RecordOf(const HelloRequest* /*type*/) {
  return {"HelloRequest",
          {{"protocol",
            &HelloRequest::protocol,
            "Version of the protocol: 1",
            {.most = kMaxProtocol}}}};
}

record::Of<OpenRequest> RecordOf(const OpenRequest* /*type*/) {
  using T = OpenRequest;
  return {"OpenRequest",
          {{"scheduler", &T::scheduler, "Its name, from the reply to `hello`"},
           {"config", &T::config, record::kJsonText, "Settings of the scheduler", {kOptional}},
           {"workload", &T::workload, "Its name, from the reply to `hello`"},
           {"parameters", &T::parameters, record::kJsonText, "Of the workload", {kOptional}},
           {"seed", &T::seed, "All random choices follow from it", {kOptional}},
           {"timeout_ns",
            &T::timeout,
            "How long a round may make no progress before it has failed; 0: no limit",
            {kOptional}},
           {"half",
            &T::half,
            "Only this side of the workload",
            {.presence = kOmitted, .one_of = kHalves}},
           {"address", &T::address, "Of a half: where the server listens", {kOmitted}}}};
}

record::Of<RoundRequest> RecordOf(const RoundRequest* /*type*/) {
  using T = RoundRequest;
  return {"RoundRequest",
          {{"name", &T::name, "For messages: `warm-up round 1`", {kOptional}},
           {"audit", &T::audit, "The round is not measured: the agent counts its work", {kOmitted}},
           {"start_ns",
            &T::start_ns,
            "Of a half: when clients start; at once without it",
            {kOmitted, kMaxNs}},
           {"end_ns",
            &T::end_ns,
            "Of a half: when the server ends at the latest; never without it",
            {kOmitted, kMaxNs}}}};
}

record::Of<LatenciesRequest> RecordOf(const LatenciesRequest* /*type*/) {
  using T = LatenciesRequest;
  return {"LatenciesRequest",
          {{"of", &T::of, "Which times", {.presence = kOptional, .one_of = kTimes}},
           {"from", &T::from, "How many values are known already", {kOptional, kMaxNs}}}};
}

record::Of<AgentMachine> RecordOf(const AgentMachine* /*type*/) {
  using T = AgentMachine;
  return {"AgentMachine",
          {{"host", &T::host, "Its name in its network", {kOptional}},
           {"cpu_model", &T::cpu_model, "Its processor", {kOptional}},
           {"cpus", &T::cpus, "CPUs that the agent may use", {kOptional, kMaxCpus}},
           {"kernel", &T::kernel, "Its kernel", {kOptional}},
           {"findings", &T::findings, "What can disturb measurements there", {kOptional}},
           {"id", &T::id, "The same for two names of one machine", {kOptional}}}};
}

record::Of<HelloReply> RecordOf(const HelloReply* /*type*/) {
  using T = HelloReply;
  return {"HelloReply",
          {{"protocol", &T::protocol, "Version of the protocol: 1", {.most = kMaxProtocol}},
           {"runtime", &T::runtime, "Shown in reports"},
           {"version", &T::version, "Shown in reports"},
           {"tasks", &T::tasks, "What its units of work are, in a word: `fibers`, `goroutines`"},
           {"schedulers", &T::schedulers, "Names that `open` takes", {.is_name = true}},
           {"workloads", &T::workloads, "Names that `open` takes", {.is_name = true}},
           {"settings", &T::settings, "What each field of the config takes, in a line", {kOmitted}},
           {"revision", &T::revision, "Of its source", {kOmitted}},
           {"build", &T::build, "How it was built", {kOmitted}},
           {"machine", &T::machine, "Where it runs", {kOmitted}}}};
}

record::Of<OpenReply> RecordOf(const OpenReply* /*type*/) {
  using T = OpenReply;
  return {
      "OpenReply",
      {{"config",
        &T::config,
        record::kJsonText,
        "The settings in effect, defaults included",
        {kOptional}},
       {"parameters",
        &T::parameters,
        record::kJsonText,
        "Those in effect: each requested one, with the requested value",
        {kOptional}},
       {"operation", &T::operation, "What is counted, singular: `yield`"},
       {"workers", &T::workers, "How many threads work; 0: as many as it takes", {kOptional}},
       {"address", &T::address, "Of the server's half: where it listens", {kOmitted}},
       {"files",
        &T::files,
        "The checksum of each file that a parameter names, by its name; empty: it cannot be read",
        {kOmitted}}}};
}

record::Of<RoundReply> RecordOf(const RoundReply* /*type*/) {
  using T = RoundReply;
  return {"Round",
          {{"wall_ns", &T::wall_ns, "Time of the work alone, by a monotonic clock"},
           {"cpu_ns", &T::cpu_ns, "CPU time of the whole process during it, user and system"},
           {"operations", &T::operations, "Operations that were done"},
           {"peak_rss_bytes", &T::peak_rss_bytes,
            "The most memory that the process has had in RAM so far"},
           {"figures",
            &T::metrics,
            "Other metrics by name, none negative. Null: too few samples",
            {.presence = kOptional, .from_0 = true}},
           {"counts", &T::counts, "How often mechanisms were used, by name", {kOptional}}}};
}

record::Of<ErrorReply> RecordOf(const ErrorReply* /*type*/) {
  using T = ErrorReply;
  return {"ErrorReply",
          {{"kind", &T::kind, "One of the kinds below"},
           {"message", &T::message, "One line for people"},
           {"details", &T::details, "Further lines", {kOptional}}}};
}

record::Of<ClockReply> RecordOf(const ClockReply* /*type*/) {
  return {"ClockReply",
          {{"now_ns",
            &ClockReply::now_ns,
            "Time of a monotonic clock, from any moment on",
            {.most = kMaxNs}}}};
}

record::Of<LatenciesReply> RecordOf(const LatenciesReply* /*type*/) {
  using T = LatenciesReply;
  return {"LatenciesReply",
          {{"total", &T::total, "Values in all replies together"},
           {"differences", &T::values, kDifferences,
            "Ascending values in nanoseconds: the first one, then differences"},
           {"unanswered", &T::unanswered, "Requests without an answer"},
           {"span_ns", &T::span_ns, "From the start until the last answer"},
           {"trouble", &T::trouble, "What has gone wrong first", {kOptional}},
           {"cpu_ns",
            &T::cpu_ns,
            "Of a server: CPU time while all connections were open",
            {kOptional, kMaxNs}}}};
}

namespace {

template <typename Message>
Message Parsed(const record::Protocol& protocol, std::string_view line) {
  try {
    return record::FromLine<Message>(protocol, line);
  } catch (const record::ReadError& error) {
    throw ProtocolError(error.what());
  }
}

}  // namespace

std::optional<std::uint64_t> CountOf(const RoundReply& round, std::string_view name) {
  const auto found = std::ranges::find(round.counts, name, &NamedCount::first);
  return found == round.counts.end() ? std::nullopt : std::optional(found->second);
}

std::string_view KindOf(const AgentReply& reply) {
  return kReplyKinds[reply.index()];
}

std::string ToLine(const AgentRequest& request) {
  return record::ToLine(kRequests, request);
}

std::string ToLine(const AgentReply& reply) {
  return record::ToLine(kReplies, reply);
}

AgentRequest ParseRequest(std::string_view line) {
  return Parsed<AgentRequest>(kRequests, line);
}

AgentReply ParseReply(std::string_view line) {
  return Parsed<AgentReply>(kReplies, line);
}

}  // namespace schedbench::harness
