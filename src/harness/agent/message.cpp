#include "harness/agent/message.hpp"

#include "config/json_document.hpp"
#include "config/json_nesting.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <span>

namespace schedbench::harness {

namespace {

using nlohmann::ordered_json;

// The kinds are in the order of AgentRequest and AgentReply.
constexpr std::array<std::string_view, 6> kRequestKinds{"hello", "open",  "round",
                                                        "close", "clock", "latencies"};
constexpr std::array<std::string_view, 7> kReplyKinds{"hello", "open",  "round",    "close",
                                                      "error", "clock", "latencies"};
static_assert(kRequestKinds.size() == std::variant_size_v<AgentRequest>);
static_assert(kReplyKinds.size() == std::variant_size_v<AgentReply>);

// The limit of a whole message.
constexpr std::size_t kMostKeys = config::JsonDocument::kMostKeys;

// A message holds a config as a member.
constexpr std::size_t kDeepestMessage = config::JsonDocument::kDeepestNesting + 1;

constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxNs = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMaxCpus = std::numeric_limits<std::uint32_t>::max();

// In the order of the enumerators.
constexpr std::array<std::string_view, 4> kErrorKinds{"unsupported", "input", "limit", "failed"};
static_assert(kErrorKinds.size() == static_cast<std::size_t>(ErrorReply::Kind::kFailed) + 1);

// A member keeps its value if its optional key is missing.
enum class Key { kRequired, kOptional, kOmittedByDefault };

// The keys of a message: each function writes the value of a key, or reads and checks it.
class Keys {
 public:
  // Starts a message that is written.
  Keys(const char* kind_key, std::string_view kind)
      : is_writer_(true),
        kind_key_(kind_key) {
    object_[kind_key] = kind;
  }

  // Starts a message that is read. Throws ProtocolError unless it is one.
  static Keys Of(const char* kind_key, std::string_view line) {
    const std::string start = config::Quoted(line.substr(0, 200));
    if (config::NestsDeeperThan(line, kDeepestMessage)) {
      throw ProtocolError(fmt::format("more than {} nested levels: {}", kDeepestMessage, start));
    }
    // No exceptions of the library: its messages describe its internals.
    std::string repeated;
    Keys keys(kind_key, "", ordered_json::parse(line, DuplicateKeys(repeated), false));
    if (!keys.object_.is_object()) {
      throw ProtocolError(fmt::format("not a JSON object: {}", start));
    }
    std::string kind;
    keys.Text(kind_key, kind);
    keys.kind_ = std::move(kind);
    if (!repeated.empty()) {
      throw ProtocolError(fmt::format("{} {}: the key {} occurs twice in one object", kind_key,
                                      keys.kind_, config::Quoted(repeated)));
    }
    return keys;
  }

  // Returns the kind of a message that is read.
  const std::string& Kind() const {
    return kind_;
  }

  std::string Line() const {
    // A message may hold bytes of the user's that are no UTF-8.
    return object_.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }

  void Text(const char* key, std::string& text, Key presence = Key::kRequired) {
    if (is_writer_) {
      Add(key, text, presence, text.empty());
    } else if (const ordered_json* const value = Find(key, presence)) {
      Require(value->is_string(), key, "is not a string");
      text = value->get<std::string>();
    }
  }

  void OneOf(const char* key, std::string& text, std::initializer_list<std::string_view> names,
             Key presence) {
    const std::string otherwise = text;
    Text(key, text, presence);
    Require(text == otherwise || std::ranges::find(names, text) != names.end(), key,
            fmt::format("is not one of {}", fmt::join(names, ", ")));
  }

  template <typename T>
  void Number(const char* key, T& number, Key presence = Key::kRequired,
              std::uint64_t most = kMaxCount) {
    if (is_writer_) {
      Add(key, number, presence, number == 0);
    } else if (const ordered_json* const value = Find(key, presence)) {
      Require(value->is_number_unsigned() && value->get<std::uint64_t>() <= most, key,
              "is not a whole number from 0 on, or is too large");
      number = static_cast<T>(value->get<std::uint64_t>());
    }
  }

  void Time(const char* key, std::chrono::nanoseconds& time) {
    std::int64_t ns = time.count();
    Number(key, ns, Key::kOptional, kMaxNs);
    time = std::chrono::nanoseconds(ns);
  }

  void Flag(const char* key, bool& flag) {
    if (is_writer_) {
      Add(key, flag, Key::kOmittedByDefault, !flag);
    } else if (const ordered_json* const value = Find(key)) {
      Require(value->is_boolean(), key, "is neither true nor false");
      flag = value->get<bool>();
    }
  }

  // The text of an object.
  void Object(const char* key, std::string& text) {
    if (is_writer_) {
      object_[key] = ordered_json::parse(text);
    } else if (const ordered_json* const value = Find(key)) {
      Require(value->is_object(), key, "is not an object");
      text = value->dump();
    }
  }

  void Texts(const char* key, std::vector<std::string>& texts) {
    if (is_writer_) {
      object_[key] = texts;
    } else if (const ordered_json* const value = Find(key)) {
      Require(value->is_array(), key, "is not an array");
      for (const ordered_json& element : *value) {
        Require(element.is_string(), key, "has an element that is not a string");
        texts.push_back(element.get<std::string>());
      }
    }
  }

  // Texts that the report shows as they are.
  void Names(const char* key, std::vector<std::string>& names) {
    Texts(key, names);
    const bool is_good = std::ranges::all_of(names, [](const std::string& name) {
      return !name.empty() && config::IsPrintable(name);
    });
    Require(is_good, key, "has an element that is empty or has control characters");
    Require(!names.empty(), key, "is empty");
  }

  // An object with keys of its own.
  template <typename Part>
  void Optional(const char* key, std::optional<Part>& part) {
    if (is_writer_ && part) {
      Keys keys(key, "");
      keys.object_ = ordered_json::object();
      Fields(keys, *part);
      object_[key] = std::move(keys.object_);
    } else if (const ordered_json* const value = is_writer_ ? nullptr : Find(key)) {
      Require(value->is_object(), key, "is not an object");
      Keys keys(kind_key_, kind_, *value);
      Fields(keys, part.emplace());
    }
  }

  void TextsByName(const char* key, std::vector<std::pair<std::string, std::string>>& texts) {
    Members(key, texts, Key::kOmittedByDefault, [&](const ordered_json& value) {
      Require(value.is_string(), key, "has a value that is not a string");
      return value.get<std::string>();
    });
  }

  void Metrics(const char* key, std::vector<NamedMetric>& metrics) {
    Members(key, metrics, Key::kOptional, [&](const ordered_json& value) {
      Require(value.is_number() || value.is_null(), key, "has a value that is not a number");
      // All figures are times, sizes, counts and shares.
      Require(value.is_null() || value.get<double>() >= 0, key, "has a negative value");
      return value.is_null() ? std::nullopt : std::optional(value.get<double>());
    });
  }

  void Counts(const char* key, std::vector<NamedCount>& counts) {
    Members(key, counts, Key::kOptional, [&](const ordered_json& value) {
      Require(value.is_number_unsigned(), key, "has a value that is not a whole number from 0 on");
      return value.get<std::uint64_t>();
    });
  }

  // Ascending values that are written as their differences.
  void Ascending(const char* key, std::vector<std::uint64_t>& values) {
    std::uint64_t last = 0;
    if (is_writer_) {
      ordered_json& differences = object_[key] = ordered_json::array();
      for (const std::uint64_t value : values) {
        differences.push_back(value - std::exchange(last, value));
      }
      return;
    }
    const ordered_json& differences = *Find(key, Key::kRequired);
    Require(differences.is_array(), key, "is not an array");
    values.reserve(differences.size());
    for (const ordered_json& element : differences) {
      Require(element.is_number_unsigned() && element.get<std::uint64_t>() <= kMaxCount - last, key,
              "has an element that is not a whole number from 0 on, or their sum is too large");
      values.push_back(last += element.get<std::uint64_t>());
    }
  }

  void ErrorKind(const char* key, ErrorReply::Kind& kind) {
    std::string text(ToText(kind));
    Text(key, text);
    const auto* const found = std::ranges::find(kErrorKinds, text);
    Require(found != kErrorKinds.end(), key, "is not one of unsupported, input, limit and failed");
    kind = static_cast<ErrorReply::Kind>(found - kErrorKinds.begin());
  }

  // A misspelt key would be a setting that has no effect.
  void RefuseOthers() const {
    for (const auto& [key, value] : object_.items()) {
      if (std::ranges::find(known_, key) == known_.end()) {
        throw ProtocolError(fmt::format("{} {}: unknown key {}{}", kind_key_, kind_,
                                        config::Quoted(key), config::DidYouMean(key, known_)));
      }
    }
  }

  [[noreturn]] void RefuseKind(std::span<const std::string_view> kinds) const {
    throw ProtocolError(fmt::format("unknown {} {}{}", kind_key_, config::Quoted(kind_),
                                    config::DidYouMean(kind_, {kinds.begin(), kinds.end()})));
  }

 private:
  Keys(const char* kind_key, std::string kind, ordered_json object)
      : is_writer_(false),
        kind_key_(kind_key),
        kind_(std::move(kind)),
        object_(std::move(object)) {
  }

  // What is written needs no check.
  void Require(bool good, const char* key, std::string_view complaint) const {
    if (!good && !is_writer_) {
      throw ProtocolError(fmt::format("{}{}: \"{}\" {}", kind_key_,
                                      kind_.empty() ? "" : " " + kind_, key, complaint));
    }
  }

  void Add(const char* key, ordered_json value, Key presence, bool is_default) {
    if (presence != Key::kOmittedByDefault || !is_default) {
      object_[key] = std::move(value);
    }
  }

  // The value of a key; null if there is none, which is no required key.
  const ordered_json* Find(const char* key, Key presence = Key::kOptional) {
    known_.emplace_back(key);
    const auto found = object_.find(key);
    Require(found != object_.end() || presence != Key::kRequired, key, "is missing");
    return found == object_.end() ? nullptr : &*found;
  }

  static ordered_json Json(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
  }
  static ordered_json Json(const auto& value) {
    return value;
  }

  // An object with any keys. `read`: the value of one, from its JSON.
  template <typename Values, typename Read>
  void Members(const char* key, Values& values, Key presence, Read read) {
    if (is_writer_) {
      ordered_json members = ordered_json::object();
      for (const auto& [name, value] : values) {
        members[name] = Json(value);
      }
      Add(key, std::move(members), presence, values.empty());
    } else if (const ordered_json* const members = Find(key)) {
      Require(members->is_object(), key, "is not an object");
      for (const auto& [name, value] : members->items()) {
        values.emplace_back(name, read(value));
      }
    }
  }

  // A callback of the parser that stores the first key that an object has twice: the library takes the last value. It throws
  // ProtocolError at the key beyond kMostKeys.
  static ordered_json::parser_callback_t DuplicateKeys(std::string& repeated) {
    using Event = ordered_json::parse_event_t;
    return [&repeated, keys = std::vector<std::set<std::string>>(), count = std::size_t{0}](
               int /*depth*/, Event event, ordered_json& parsed) mutable {
      if (event == Event::key && ++count > kMostKeys) {
        throw ProtocolError(fmt::format("a message has more than {} keys", kMostKeys));
      }
      if (event == Event::object_start) {
        keys.emplace_back();
      } else if (event == Event::object_end) {
        keys.pop_back();
      } else if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
        repeated = repeated.empty() ? parsed.get<std::string>() : repeated;
      }
      return true;
    };
  }

  bool is_writer_;
  const char* kind_key_;
  std::string kind_;  // of a message that is read
  ordered_json object_;
  std::vector<std::string_view> known_;
};

// The keys of each message, in the order in which they are written.

void Fields(Keys& keys, HelloRequest& hello) {
  keys.Number("protocol", hello.protocol, Key::kRequired, 1'000'000);
}

void Fields(Keys& keys, OpenRequest& open) {
  keys.Text("scheduler", open.scheduler);
  keys.Object("config", open.config);
  keys.Text("workload", open.workload);
  keys.Object("parameters", open.parameters);
  keys.Number("seed", open.seed);
  keys.Time("timeout_ns", open.timeout);
  keys.OneOf("half", open.half, {"server", "clients"}, Key::kOmittedByDefault);
  keys.Text("address", open.address, Key::kOmittedByDefault);
}

void Fields(Keys& keys, RoundRequest& round) {
  keys.Text("name", round.name, Key::kOptional);
  keys.Flag("audit", round.audit);
  keys.Number("start_ns", round.start_ns, Key::kOmittedByDefault, kMaxNs);
  keys.Number("end_ns", round.end_ns, Key::kOmittedByDefault, kMaxNs);
}

void Fields(Keys& keys, LatenciesRequest& latencies) {
  keys.OneOf("of", latencies.of, {"latency", "delay"}, Key::kOptional);
  keys.Number("from", latencies.from, Key::kOptional, kMaxNs);
}

void Fields(Keys& keys, AgentMachine& machine) {
  keys.Text("host", machine.host, Key::kOptional);
  keys.Text("cpu_model", machine.cpu_model, Key::kOptional);
  keys.Number("cpus", machine.cpus, Key::kOptional, kMaxCpus);
  keys.Text("kernel", machine.kernel, Key::kOptional);
  keys.Texts("findings", machine.findings);
  keys.Text("id", machine.id, Key::kOptional);
}

void Fields(Keys& keys, HelloReply& hello) {
  keys.Number("protocol", hello.protocol, Key::kRequired, 1'000'000);
  keys.Text("runtime", hello.runtime);
  keys.Text("version", hello.version);
  keys.Text("tasks", hello.tasks);
  keys.Names("schedulers", hello.schedulers);
  keys.Names("workloads", hello.workloads);
  keys.TextsByName("settings", hello.settings);
  keys.Text("revision", hello.revision, Key::kOmittedByDefault);
  keys.Text("build", hello.build, Key::kOmittedByDefault);
  keys.Optional("machine", hello.machine);
}

void Fields(Keys& keys, OpenReply& open) {
  keys.Object("config", open.config);
  keys.Object("parameters", open.parameters);
  keys.Text("operation", open.operation);
  keys.Number("workers", open.workers, Key::kOptional, kMaxCpus);
  keys.Text("address", open.address, Key::kOmittedByDefault);
  keys.TextsByName("files", open.files);
}

void Fields(Keys& keys, RoundReply& round) {
  keys.Number("wall_ns", round.wall_ns);
  keys.Number("cpu_ns", round.cpu_ns);
  keys.Number("operations", round.operations);
  keys.Number("peak_rss_bytes", round.peak_rss_bytes);
  keys.Metrics("figures", round.metrics);
  keys.Counts("counts", round.counts);
}

void Fields(Keys& keys, ClockReply& clock) {
  keys.Number("now_ns", clock.now_ns, Key::kRequired, kMaxNs);
}

void Fields(Keys& keys, LatenciesReply& latencies) {
  keys.Number("total", latencies.total);
  keys.Ascending("differences", latencies.values);
  keys.Number("unanswered", latencies.unanswered);
  keys.Number("span_ns", latencies.span_ns);
  keys.Text("trouble", latencies.trouble, Key::kOptional);
  keys.Number("cpu_ns", latencies.cpu_ns, Key::kOptional, kMaxNs);
}

void Fields(Keys& keys, ErrorReply& error) {
  keys.ErrorKind("kind", error.kind);
  keys.Text("message", error.message);
  keys.Texts("details", error.details);
}

// The other messages have no keys.
template <typename Message>
void Fields(Keys& /*keys*/, Message& /*message*/) {
}

template <typename AnyMessage>
std::string LineOf(AnyMessage any, const char* kind_key, std::string_view kind) {
  return std::visit(
      [&](auto& message) {
        Keys keys(kind_key, kind);
        Fields(keys, message);
        return keys.Line();
      },
      any);
}

// Reads the message if its kind is one of the kinds from this index on.
template <typename AnyMessage, std::size_t kIndex = 0>
AnyMessage MessageOf(Keys& keys, std::span<const std::string_view> kinds) {
  if constexpr (kIndex == std::variant_size_v<AnyMessage>) {
    keys.RefuseKind(kinds);
  } else {
    if (keys.Kind() != kinds[kIndex]) {
      return MessageOf<AnyMessage, kIndex + 1>(keys, kinds);
    }
    std::variant_alternative_t<kIndex, AnyMessage> message;
    Fields(keys, message);
    return message;
  }
}

}  // namespace

std::string_view ToText(ErrorReply::Kind kind) {
  return kErrorKinds[static_cast<std::size_t>(kind)];
}

std::string_view KindOf(const AgentReply& reply) {
  return kReplyKinds[reply.index()];
}

std::string ToLine(const AgentRequest& request) {
  return LineOf(request, "request", kRequestKinds[request.index()]);
}

std::string ToLine(const AgentReply& reply) {
  return LineOf(reply, "reply", KindOf(reply));
}

AgentRequest ParseRequest(std::string_view line) {
  Keys keys = Keys::Of("request", line);
  auto request = MessageOf<AgentRequest>(keys, kRequestKinds);
  keys.RefuseOthers();
  return request;
}

AgentReply ParseReply(std::string_view line) {
  Keys keys = Keys::Of("reply", line);
  return MessageOf<AgentReply>(keys, kReplyKinds);
}

}  // namespace schedbench::harness
