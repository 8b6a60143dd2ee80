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

constexpr const char* kRequest = "request";
constexpr const char* kReply = "reply";

// The limit of a whole message. The library finds a key by comparing it with all keys before it. Arbitrary: the largest messages have
// some hundreds.
constexpr std::size_t kMostKeys = 4096;

// A message holds a config as a member.
constexpr std::size_t kDeepestMessage = config::JsonDocument::kDeepestNesting + 1;

constexpr std::array kErrorKinds{
    std::pair{ErrorReply::Kind::kUnsupported, std::string_view("unsupported")},
    std::pair{ErrorReply::Kind::kInput, std::string_view("input")},
    std::pair{ErrorReply::Kind::kLimit, std::string_view("limit")},
    std::pair{ErrorReply::Kind::kFailed, std::string_view("failed")}};

// An object that a message is read from.
class Reader {
 public:
  Reader(std::string_view line, const char* kind_key)
      : kind_key_(kind_key) {
    if (config::NestsDeeperThan(line, kDeepestMessage)) {
      throw ProtocolError(fmt::format("more than {} nested levels: {}", kDeepestMessage,
                                      config::Quoted(line.substr(0, 200))));
    }
    // No exceptions of the library: its messages describe its internals.
    object_ = ordered_json::parse(line, DuplicateKeys(repeated_), false);
    if (!object_.is_object()) {
      throw ProtocolError(
          fmt::format("not a JSON object: {}", config::Quoted(line.substr(0, 200))));
    }
    kind_ = Text(kind_key);
    if (!repeated_.empty()) {
      throw ProtocolError(fmt::format("{} {}: the key {} occurs twice in one object", kind_key_,
                                      kind_, config::Quoted(repeated_)));
    }
  }

  const std::string& Kind() const {
    return kind_;
  }

  std::string Text(const char* key) {
    const ordered_json& value = Required(key);
    Require(value.is_string(), key, "is not a string");
    return value.get<std::string>();
  }

  std::string TextOr(const char* key, std::string fallback) {
    return Has(key) ? Text(key) : std::move(fallback);
  }

  std::uint64_t Count(const char* key,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const ordered_json& value = Required(key);
    Require(value.is_number_unsigned() && value.get<std::uint64_t>() <= most, key,
            "is not a whole number from 0 on, or is too large");
    return value.get<std::uint64_t>();
  }

  std::uint64_t CountOr(const char* key, std::uint64_t fallback, std::uint64_t most) {
    return Has(key) ? Count(key, most) : fallback;
  }

  bool FlagOr(const char* key, bool fallback) {
    if (!Has(key)) {
      return fallback;
    }
    const ordered_json& value = Required(key);
    Require(value.is_boolean(), key, "is neither true nor false");
    return value.get<bool>();
  }

  std::vector<std::string> Texts(const char* key) {
    std::vector<std::string> texts;
    if (Has(key)) {
      const ordered_json& value = Required(key);
      Require(value.is_array(), key, "is not an array");
      for (const ordered_json& element : value) {
        Require(element.is_string(), key, "has an element that is not a string");
        texts.push_back(element.get<std::string>());
      }
    }
    return texts;
  }

  // The object of a key as a reader of its own; none where there is none.
  std::optional<Reader> Object(const char* key) {
    if (!Has(key)) {
      return std::nullopt;
    }
    const ordered_json& value = Required(key);
    Require(value.is_object(), key, "is not an object");
    return Reader(value, kind_key_, kind_);
  }

  // Texts that the report shows as they are.
  std::vector<std::string> Names(const char* key) {
    std::vector<std::string> names = Texts(key);
    Require(std::ranges::all_of(names,
                                [](const std::string& name) {
                                  return !name.empty() && config::IsPrintable(name);
                                }),
            key, "has an element that is empty or has control characters");
    Require(!names.empty(), key, "is empty");
    return names;
  }

  // The text of an object; "{}" where there is none.
  std::string ObjectOrEmpty(const char* key) {
    if (!Has(key)) {
      return "{}";
    }
    const ordered_json& value = Required(key);
    Require(value.is_object(), key, "is not an object");
    return value.dump();
  }

  std::vector<NamedMetric> Metrics(const char* key) {
    std::vector<NamedMetric> metrics;
    for (const auto& [name, value] : MembersOf(key)) {
      Require(value.is_number() || value.is_null(), key, "has a value that is not a number");
      // All figures are times, sizes, counts and shares.
      Require(value.is_null() || value.get<double>() >= 0, key, "has a negative value");
      metrics.emplace_back(name, std::nullopt);
      if (value.is_number()) {
        metrics.back().second = value.get<double>();
      }
    }
    return metrics;
  }

  std::vector<NamedCount> Counts(const char* key) {
    std::vector<NamedCount> counts;
    for (const auto& [name, value] : MembersOf(key)) {
      Require(value.is_number_unsigned(), key, "has a value that is not a whole number from 0 on");
      counts.emplace_back(name, value.get<std::uint64_t>());
    }
    return counts;
  }

  // Ascending values that are written as their differences.
  std::vector<std::uint64_t> Ascending(const char* key) {
    const ordered_json& value = Required(key);
    Require(value.is_array(), key, "is not an array");
    std::vector<std::uint64_t> values;
    values.reserve(value.size());
    std::uint64_t last = 0;
    for (const ordered_json& element : value) {
      Require(element.is_number_unsigned() &&
                  element.get<std::uint64_t>() <= std::numeric_limits<std::uint64_t>::max() - last,
              key,
              "has an element that is not a whole number from 0 on, or their sum is too large");
      last += element.get<std::uint64_t>();
      values.push_back(last);
    }
    return values;
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

  void Require(bool good, const char* key, std::string_view complaint) const {
    if (!good) {
      throw ProtocolError(fmt::format("{}{}: \"{}\" {}", kind_key_,
                                      kind_.empty() ? "" : " " + kind_, key, complaint));
    }
  }

 private:
  Reader(ordered_json object, const char* kind_key, std::string kind)
      : kind_key_(kind_key),
        kind_(std::move(kind)),
        object_(std::move(object)) {
  }

  bool Has(const char* key) {
    known_.emplace_back(key);
    return object_.contains(key);
  }

  const ordered_json& Required(const char* key) {
    Require(Has(key), key, "is missing");
    return object_[key];
  }

  const ordered_json::object_t& MembersOf(const char* key) {
    static const ordered_json::object_t none;
    if (!Has(key)) {
      return none;
    }
    Require(object_[key].is_object(), key, "is not an object");
    return object_[key].get_ref<const ordered_json::object_t&>();
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

  const char* const kind_key_;
  std::string kind_;
  std::string repeated_;
  ordered_json object_;
  std::vector<std::string_view> known_;
};

ordered_json Parsed(const std::string& object) {
  return ordered_json::parse(object);
}

ordered_json ToJson(const HelloRequest& hello) {
  return {{kRequest, "hello"}, {"protocol", hello.protocol}};
}

ordered_json ToJson(const OpenRequest& open) {
  ordered_json object{{kRequest, "open"},
                      {"scheduler", open.scheduler},
                      {"config", Parsed(open.config)},
                      {"workload", open.workload},
                      {"parameters", Parsed(open.parameters)},
                      {"seed", open.seed},
                      {"timeout_ns", open.timeout.count()}};
  if (!open.half.empty()) {
    object["half"] = open.half;
    object["address"] = open.address;
  }
  return object;
}

ordered_json ToJson(const RoundRequest& round) {
  ordered_json object{{kRequest, "round"}, {"name", round.name}};
  if (round.audit) {
    object["audit"] = true;
  }
  if (round.start_ns != 0) {
    object["start_ns"] = round.start_ns;
  }
  if (round.end_ns != 0) {
    object["end_ns"] = round.end_ns;
  }
  return object;
}

ordered_json ToJson(const CloseRequest& /*close*/) {
  return {{kRequest, "close"}};
}

ordered_json ToJson(const ClockRequest& /*clock*/) {
  return {{kRequest, "clock"}};
}

ordered_json ToJson(const LatenciesRequest& latencies) {
  return {{kRequest, "latencies"}, {"of", latencies.of}, {"from", latencies.from}};
}

ordered_json ToJson(const HelloReply& hello) {
  ordered_json object{{kReply, "hello"},
                      {"protocol", hello.protocol},
                      {"runtime", hello.runtime},
                      {"version", hello.version},
                      {"tasks", hello.tasks},
                      {"schedulers", hello.schedulers},
                      {"workloads", hello.workloads}};
  for (const auto& [name, values] : hello.settings) {
    object["settings"][name] = values;
  }
  if (!hello.revision.empty()) {
    object["revision"] = hello.revision;
  }
  if (!hello.build.empty()) {
    object["build"] = hello.build;
  }
  if (hello.machine) {
    object["machine"] = {
        {"host", hello.machine->host},         {"cpu_model", hello.machine->cpu_model},
        {"cpus", hello.machine->cpus},         {"kernel", hello.machine->kernel},
        {"findings", hello.machine->findings}, {"id", hello.machine->id}};
  }
  return object;
}

ordered_json ToJson(const OpenReply& open) {
  ordered_json object{{kReply, "open"},
                      {"config", Parsed(open.config)},
                      {"parameters", Parsed(open.parameters)},
                      {"operation", open.operation},
                      {"workers", open.workers}};
  if (!open.address.empty()) {
    object["address"] = open.address;
  }
  for (const auto& [file, checksum] : open.files) {
    object["files"][file] = checksum;
  }
  return object;
}

ordered_json ToJson(const RoundReply& round) {
  ordered_json metrics = ordered_json::object();
  for (const auto& [name, value] : round.metrics) {
    metrics[name] = value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
  }
  ordered_json counts = ordered_json::object();
  for (const auto& [name, count] : round.counts) {
    counts[name] = count;
  }
  return {{kReply, "round"},
          {"wall_ns", round.wall_ns},
          {"cpu_ns", round.cpu_ns},
          {"operations", round.operations},
          {"peak_rss_bytes", round.peak_rss_bytes},
          {"figures", std::move(metrics)},
          {"counts", std::move(counts)}};
}

ordered_json ToJson(const CloseReply& /*close*/) {
  return {{kReply, "close"}};
}

ordered_json ToJson(const ClockReply& clock) {
  return {{kReply, "clock"}, {"now_ns", clock.now_ns}};
}

ordered_json ToJson(const LatenciesReply& latencies) {
  ordered_json differences = ordered_json::array();
  std::uint64_t last = 0;
  for (const std::uint64_t value : latencies.values) {
    differences.push_back(value - last);
    last = value;
  }
  return {{kReply, "latencies"},
          {"total", latencies.total},
          {"differences", std::move(differences)},
          {"unanswered", latencies.unanswered},
          {"span_ns", latencies.span_ns},
          {"trouble", latencies.trouble},
          {"cpu_ns", latencies.cpu_ns}};
}

ordered_json ToJson(const ErrorReply& error) {
  return {{kReply, "error"},
          {"kind", ToText(error.kind)},
          {"message", error.message},
          {"details", error.details}};
}

template <typename Message>
std::string LineOf(const Message& message) {
  return std::visit(
      [](const auto& alternative) {
        // A message may hold bytes of the user's that are no UTF-8.
        return ToJson(alternative).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
      },
      message);
}

constexpr std::uint64_t kMaxNs = std::numeric_limits<std::int64_t>::max();

std::optional<AgentMachine> MachineOf(Reader& hello) {
  auto machine = hello.Object("machine");
  if (!machine) {
    return std::nullopt;
  }
  return AgentMachine{
      .host = machine->TextOr("host", ""),
      .cpu_model = machine->TextOr("cpu_model", ""),
      .cpus = machine->CountOr("cpus", 0, std::numeric_limits<std::uint32_t>::max()),
      .kernel = machine->TextOr("kernel", ""),
      .findings = machine->Texts("findings"),
      .id = machine->TextOr("id", "")};
}

std::vector<std::pair<std::string, std::string>> TextsOf(Reader& message, const char* key) {
  std::vector<std::pair<std::string, std::string>> texts;
  const auto object = ordered_json::parse(message.ObjectOrEmpty(key));
  for (const auto& [name, value] : object.items()) {
    message.Require(value.is_string(), key, "has a value that is not a string");
    texts.emplace_back(name, value.get<std::string>());
  }
  return texts;
}

std::string OneOfOr(Reader& reader, const char* key, std::initializer_list<std::string_view> names,
                    std::string otherwise) {
  const std::string text = reader.TextOr(key, otherwise);
  reader.Require(text == otherwise || std::ranges::find(names, text) != names.end(), key,
                 fmt::format("is not one of {}", fmt::join(names, ", ")));
  return text;
}

ErrorReply::Kind ReadErrorKind(Reader& reader) {
  const std::string text = reader.Text("kind");
  const auto* const found = std::ranges::find(kErrorKinds, text, [](const auto& kind) {
    return kind.second;
  });
  reader.Require(found != kErrorKinds.end(), "kind",
                 "is not one of unsupported, input, limit and failed");
  return found->first;
}

}  // namespace

std::string_view ToText(ErrorReply::Kind kind) {
  return std::ranges::find(kErrorKinds, kind,
                           [](const auto& known) {
                             return known.first;
                           })
      ->second;
}

std::string ToLine(const AgentRequest& request) {
  return LineOf(request);
}

std::string ToLine(const AgentReply& reply) {
  return LineOf(reply);
}

AgentRequest ParseRequest(std::string_view line) {
  static constexpr std::array<std::string_view, 6> kKinds{"hello", "open",  "round",
                                                          "close", "clock", "latencies"};
  Reader reader(line, kRequest);
  AgentRequest request;
  if (reader.Kind() == "hello") {
    request = HelloRequest{.protocol = static_cast<int>(reader.Count("protocol", 1'000'000))};
  } else if (reader.Kind() == "open") {
    request =
        OpenRequest{.scheduler = reader.Text("scheduler"),
                    .config = reader.ObjectOrEmpty("config"),
                    .workload = reader.Text("workload"),
                    .parameters = reader.ObjectOrEmpty("parameters"),
                    .seed = reader.Count("seed"),
                    .timeout = std::chrono::nanoseconds(reader.CountOr("timeout_ns", 0, kMaxNs)),
                    .half = OneOfOr(reader, "half", {"server", "clients"}, ""),
                    .address = reader.TextOr("address", "")};
  } else if (reader.Kind() == "round") {
    request = RoundRequest{.name = reader.TextOr("name", "a round"),
                           .audit = reader.FlagOr("audit", false),
                           .start_ns = reader.CountOr("start_ns", 0, kMaxNs),
                           .end_ns = reader.CountOr("end_ns", 0, kMaxNs)};
  } else if (reader.Kind() == "close") {
    request = CloseRequest{};
  } else if (reader.Kind() == "clock") {
    request = ClockRequest{};
  } else if (reader.Kind() == "latencies") {
    request = LatenciesRequest{.of = OneOfOr(reader, "of", {"latency", "delay"}, "latency"),
                               .from = reader.CountOr("from", 0, kMaxNs)};
  } else {
    reader.RefuseKind(kKinds);
  }
  reader.RefuseOthers();
  return request;
}

AgentReply ParseReply(std::string_view line) {
  static constexpr std::array<std::string_view, 7> kKinds{"hello", "open",  "round",    "close",
                                                          "error", "clock", "latencies"};
  Reader reader(line, kReply);
  if (reader.Kind() == "hello") {
    return HelloReply{.protocol = static_cast<int>(reader.Count("protocol", 1'000'000)),
                      .runtime = reader.Text("runtime"),
                      .version = reader.Text("version"),
                      .tasks = reader.Text("tasks"),
                      .schedulers = reader.Names("schedulers"),
                      .workloads = reader.Names("workloads"),
                      .settings = TextsOf(reader, "settings"),
                      .revision = reader.TextOr("revision", ""),
                      .build = reader.TextOr("build", ""),
                      .machine = MachineOf(reader)};
  }
  if (reader.Kind() == "open") {
    return OpenReply{.config = reader.ObjectOrEmpty("config"),
                     .parameters = reader.ObjectOrEmpty("parameters"),
                     .operation = reader.Text("operation"),
                     .workers = static_cast<std::uint32_t>(
                         reader.CountOr("workers", 0, std::numeric_limits<std::uint32_t>::max())),
                     .address = reader.TextOr("address", ""),
                     .files = TextsOf(reader, "files")};
  }
  if (reader.Kind() == "round") {
    return RoundReply{.wall_ns = reader.Count("wall_ns"),
                      .cpu_ns = reader.Count("cpu_ns"),
                      .operations = reader.Count("operations"),
                      .peak_rss_bytes = reader.Count("peak_rss_bytes"),
                      .metrics = reader.Metrics("figures"),
                      .counts = reader.Counts("counts")};
  }
  if (reader.Kind() == "close") {
    return CloseReply{};
  }
  if (reader.Kind() == "clock") {
    return ClockReply{.now_ns = reader.Count("now_ns", kMaxNs)};
  }
  if (reader.Kind() == "latencies") {
    return LatenciesReply{.total = reader.Count("total"),
                          .values = reader.Ascending("differences"),
                          .unanswered = reader.Count("unanswered"),
                          .span_ns = reader.Count("span_ns"),
                          .trouble = reader.TextOr("trouble", ""),
                          .cpu_ns = reader.CountOr("cpu_ns", 0, kMaxNs)};
  }
  if (reader.Kind() == "error") {
    return ErrorReply{.kind = ReadErrorKind(reader),
                      .message = reader.Text("message"),
                      .details = reader.Texts("details")};
  }
  reader.RefuseKind(kKinds);
}

}  // namespace schedbench::harness
