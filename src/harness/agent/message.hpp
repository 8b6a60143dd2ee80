#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The messages between an agent and the tool: JSON, a line for each message. docs/agent-protocol.md
// specifies them for authors of agents. Only this file has their keys.

namespace schedbench::record {
template <typename T>
class Of;
}  // namespace schedbench::record

namespace schedbench::harness {

// Rises when agents of the former protocol would be misunderstood. New keys do not raise it: both
// sides ignore keys that they do not know in replies.
inline constexpr int kAgentProtocol = 1;

// A line that is not a message of the protocol.
class ProtocolError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The requests. The reply to each has the request's kind or is an ErrorReply.

struct HelloRequest {
  int protocol = kAgentProtocol;
};

// JSON objects are kept as their text, because their content is the agent's own.
struct OpenRequest {
  std::string scheduler = "";
  std::string config = "{}";
  std::string workload = "";
  std::string parameters = "{}";
  std::uint64_t seed = 0;
  // A round without any progress for this long has failed; 0: never.
  std::chrono::nanoseconds timeout{0};
  std::string half = "";     // "server" or "clients": only that side; "": the whole workload
  std::string address = "";  // for a half: where the server listens
};

struct RoundRequest {
  std::string name = "a round";  // for messages: "round 3"
  bool audit = false;            // times do not count: the round counts what was done
  // A half's times by the agent's clock: clients' start, server's latest end; 0: at once, never.
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

// Asks for the clock.
struct ClockRequest {};

// Asks what a half has measured in the last round.
struct LatenciesRequest {
  std::string of = "latency";  // or "delay"
  std::uint64_t from = 0;      // number of values that are known already
};

struct CloseRequest {};

using AgentRequest = std::variant<HelloRequest, OpenRequest, RoundRequest, CloseRequest,
                                  ClockRequest, LatenciesRequest>;

// The replies.

// The machine of an agent.
struct AgentMachine {
  std::string host = "";
  std::string cpu_model = "";
  std::uint64_t cpus = 0;  // CPUs that the agent may use
  std::string kernel = "";
  // Lines on what can disturb measurements there.
  std::vector<std::string> findings = {};
  std::string id = "";  // identifies the machine, whatever its name; "": it does not say
};

struct HelloReply {
  int protocol = kAgentProtocol;
  std::string runtime = "";  // "schedbench", "go"
  std::string version = "";
  std::string tasks;  // units of work: "fibers", "callbacks", "coroutines", "threads"
  std::vector<std::string> schedulers = {};  // schedulers that open takes
  std::vector<std::string> workloads = {};
  // Settings of its config: name, values.
  std::vector<std::pair<std::string, std::string>> settings = {};
  std::string revision = "";                           // revision of its source; "": unknown
  std::string build = "";                              // how it was built; "": it does not say
  std::optional<AgentMachine> machine = std::nullopt;  // none: it does not say
};

struct OpenReply {
  std::string config = "{}";      // effective: defaults included
  std::string parameters = "{}";  // effective: defaults included
  std::string operation = "";     // what is counted, singular: "round trip"
  std::uint32_t workers = 0;      // 0: as many as it takes
  std::string address = "";       // for the server's half: where it listens
  // The checksum of each file that a parameter names; "" if it cannot be read.
  std::vector<std::pair<std::string, std::string>> files = {};
};

// A number and its name. None: there is not enough to say.
using NamedMetric = std::pair<std::string, std::optional<double>>;
using NamedCount = std::pair<std::string, std::uint64_t>;

struct RoundReply {
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;  // CPU time of the whole process, user and system
  std::uint64_t operations = 0;
  std::uint64_t peak_rss_bytes = 0;       // peak of the process so far
  std::vector<NamedMetric> metrics = {};  // metrics that do not follow from the fields above
  std::vector<NamedCount> counts = {};    // uses of mechanisms in this round
};

// Returns the count with this name; none if the agent does not report it.
std::optional<std::uint64_t> CountOf(const RoundReply& round, std::string_view name);

// The counts of a round that is an audit.
inline constexpr std::string_view kSpawns = "spawns";
inline constexpr std::string_view kSwitches = "switches";
inline constexpr std::string_view kInlineCalls = "inline_calls";

struct CloseReply {};

struct ClockReply {
  std::uint64_t now_ns = 0;  // time of the monotonic clock of start_ns and end_ns
};

// The largest number of values in a reply: a value has at most 20 digits, and a line 16 MiB.
inline constexpr std::size_t kLatenciesInReply = 500'000;

struct LatenciesReply {
  std::uint64_t total = 0;                 // values in all replies together
  std::vector<std::uint64_t> values = {};  // nanoseconds, ascending; sent as differences
  std::uint64_t unanswered = 0;
  std::uint64_t span_ns = 0;  // from the start until the last answer
  std::string trouble = "";   // the first thing that went wrong; "": nothing
  // CPU time of a server's process while all connections were open
  std::uint64_t cpu_ns = 0;
};

struct ErrorReply {
  enum class Kind {
    kUnsupported,  // there is no such scheduler or workload here
    kInput,        // a config or parameters that are wrong, or a request out of turn
    kLimit,        // the machine refuses: threads, memory
    kFailed,       // a wrong answer or a hang; the agent ends after it
  };
  Kind kind = Kind::kFailed;
  std::string message = "";
  std::vector<std::string> details = {};  // lines
};

// The answer was an error. An agent ends after the kind kFailed; after others it continues.
class AgentRefused : public std::runtime_error {
 public:
  explicit AgentRefused(ErrorReply reply)
      : std::runtime_error(reply.message),
        reply_(std::move(reply)) {
  }

  const ErrorReply& Reply() const {
    return reply_;
  }

 private:
  ErrorReply reply_;
};

using AgentReply = std::variant<HelloReply, OpenReply, RoundReply, CloseReply, ErrorReply,
                                ClockReply, LatenciesReply>;

constexpr std::array<std::string_view, 4> NamesOf(ErrorReply::Kind) {
  return {"unsupported", "input", "limit", "failed"};
}
inline std::string_view ToText(ErrorReply::Kind kind) {
  return NamesOf(kind)[static_cast<std::size_t>(kind)];
}

// Return the keys of a round, and of a machine.
record::Of<RoundReply> RecordOf(const RoundReply* /*type*/);
record::Of<AgentMachine> RecordOf(const AgentMachine* /*type*/);

// Returns the kind of a reply: "hello", "open" and so on.
std::string_view KindOf(const AgentReply& reply);

// Returns the message as a line, without the line break.
std::string ToLine(const AgentRequest& request);
std::string ToLine(const AgentReply& reply);

// Parse a line. Throw ProtocolError, whose message names the missing or wrong key. Unknown keys are
// an error in a request and are ignored in a reply.
AgentRequest ParseRequest(std::string_view line);
AgentReply ParseReply(std::string_view line);

}  // namespace schedbench::harness
