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

// What an agent and the tool send each other: JSON, a line for each message. README.md beside this
// specifies it for authors of agents. This is the one place that has its keys.

namespace schedbench::record {
template <typename T>
class Of;
}  // namespace schedbench::record

namespace schedbench::harness {

// Goes up when an agent of the former protocol would be misunderstood. New keys leave it: both sides ignore keys that they
// do not know in replies.
inline constexpr int kAgentProtocol = 1;

// A line that is no message of the protocol.
class ProtocolError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The requests. Each has a reply of its own kind, or ErrorReply.

struct HelloRequest {
  int protocol = kAgentProtocol;
};

// Objects in JSON are kept as their text: what is in them is the agent's own.
struct OpenRequest {
  std::string scheduler = "";
  std::string config = "{}";
  std::string workload = "";
  std::string parameters = "{}";
  std::uint64_t seed = 0;
  std::chrono::nanoseconds timeout{0};  // without any progress a round has failed; 0: never
  std::string half = "";     // "server" or "clients": that side only; "": the whole workload
  std::string address = "";  // of a half: where the server listens
};

struct RoundRequest {
  std::string name = "a round";  // for messages: "round 3"
  bool audit = false;            // it is not for its times: what was done is counted
  // Of a half, by the clock of the agent: when clients start, and when the server ends at the latest; 0: at once, never.
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

// Asks for the clock.
struct ClockRequest {};

// Asks what a half has measured in the last round.
struct LatenciesRequest {
  std::string of = "latency";  // or "delay"
  std::uint64_t from = 0;      // how many values are known already
};

struct CloseRequest {};

using AgentRequest = std::variant<HelloRequest, OpenRequest, RoundRequest, CloseRequest,
                                  ClockRequest, LatenciesRequest>;

// The replies.

// The machine of an agent.
struct AgentMachine {
  std::string host = "";
  std::string cpu_model = "";
  std::uint64_t cpus = 0;  // that the agent may use
  std::string kernel = "";
  std::vector<std::string> findings = {};  // what can disturb measurements there, a line each
  // The same for two names of a machine, and for no other machine; "": it does not say.
  std::string id = "";
};

struct HelloReply {
  int protocol = kAgentProtocol;
  std::string runtime = "";  // "schedbench", "go"
  std::string version = "";
  std::string
      tasks;  // what its tasks are, in a word: "fibers", "callbacks", "coroutines", "threads"
  std::vector<std::string> schedulers = {};  // that open takes
  std::vector<std::string> workloads = {};
  std::vector<std::pair<std::string, std::string>> settings = {};  // of its config: name, values
  std::string revision = "";                                       // of its source; "": it has none
  std::string build = "";                              // how it was built; "": it does not say
  std::optional<AgentMachine> machine = std::nullopt;  // none: it does not say
};

struct OpenReply {
  std::string config = "{}";      // effective: defaults included
  std::string parameters = "{}";  // likewise
  std::string operation = "";     // what is counted, singular: "round trip"
  std::uint32_t workers = 0;      // 0: as many as it takes
  std::string address = "";       // of the server's half: where it listens
  // The checksum of each file that a parameter names; "" if it cannot be read.
  std::vector<std::pair<std::string, std::string>> files = {};
};

// A number by its name. None: there is not enough to say.
using NamedMetric = std::pair<std::string, std::optional<double>>;
using NamedCount = std::pair<std::string, std::uint64_t>;

struct RoundReply {
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;  // of the whole process, user and system
  std::uint64_t operations = 0;
  std::uint64_t peak_rss_bytes = 0;       // of the process so far
  std::vector<NamedMetric> metrics = {};  // besides those that follow from the above
  std::vector<NamedCount> counts = {};    // of mechanisms, in this round
};

// The counts of a round that is an audit.
inline constexpr std::string_view kSpawns = "spawns";
inline constexpr std::string_view kSwitches = "switches";
inline constexpr std::string_view kInlineCalls = "inline_calls";

struct CloseReply {};

struct ClockReply {
  std::uint64_t now_ns = 0;  // of the monotonic clock that start_ns and end_ns are of
};

// The largest number of values in a reply: a value has at most 20 digits, and a line 16 MiB.
inline constexpr std::size_t kLatenciesInReply = 500'000;

struct LatenciesReply {
  std::uint64_t total = 0;                 // values in all replies together
  std::vector<std::uint64_t> values = {};  // nanoseconds, ascending; sent as differences
  std::uint64_t unanswered = 0;
  std::uint64_t span_ns = 0;  // from the start until the last answer
  std::string trouble = "";   // what has gone wrong first; "" for nothing
  std::uint64_t cpu_ns = 0;   // of a server: of the process, while all connections were open
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

// A request is answered with an error. An agent ends after the kind kFailed; after another one it
// may be asked further.
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

// The keys of a round, and of a machine.
record::Of<RoundReply> RecordOf(const RoundReply* /*type*/);
record::Of<AgentMachine> RecordOf(const AgentMachine* /*type*/);

// Returns "hello", "open" and so on.
std::string_view KindOf(const AgentReply& reply);

// Returns the message as a line, without the line break.
std::string ToLine(const AgentRequest& request);
std::string ToLine(const AgentReply& reply);

// Reads a line. Throws ProtocolError, whose message names the key that is missing or wrong. A request has no other keys
// than its own; those of a reply are ignored.
AgentRequest ParseRequest(std::string_view line);
AgentReply ParseReply(std::string_view line);

}  // namespace schedbench::harness
