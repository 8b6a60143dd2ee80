#include "record/message.hpp"

#include "config/json_document.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace schedbench::record {

namespace {

// The limit of a whole message.
constexpr std::size_t kMostKeys = config::JsonDocument::kMostKeys;

// Returns a callback of the parser that stores the first key that an object has twice, because the
// library takes the last value. It throws ReadError at the key beyond kMostKeys.
Json::parser_callback_t DuplicateKeys(std::string& repeated) {
  using Event = Json::parse_event_t;
  return [&repeated, keys = std::vector<std::set<std::string>>(), count = std::size_t{0}](
             int /*depth*/, Event event, Json& parsed) mutable {
    if (event == Event::key && ++count > kMostKeys) {
      throw ReadError("", fmt::format("a message has more than {} keys", kMostKeys));
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

}  // namespace

std::string LineOf(const Protocol& protocol, std::size_t kind, const Record& record,
                   const void* value) {
  Json json{{protocol.kind_key, protocol.kinds[kind]}};
  record.Write(value, json);
  // A message may hold user bytes that are not UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void ReadLine(const Protocol& protocol, std::string_view line, void* variant,
              Chosen (*choose)(void* variant, std::size_t kind)) {
  const std::string start = config::Quoted(line.substr(0, 200));
  if (config::NestsDeeperThan(line, protocol.deepest_nesting)) {
    throw ReadError("",
                    fmt::format("more than {} nested levels: {}", protocol.deepest_nesting, start));
  }
  // Avoid the library's exceptions, because their messages describe its internals.
  std::string repeated;
  Json json = Json::parse(line, DuplicateKeys(repeated), false);
  if (!json.is_object()) {
    throw ReadError("", fmt::format("not a JSON object: {}", start));
  }
  const Place root{.key = protocol.kind_key};
  const auto found = json.find(protocol.kind_key);
  if (found == json.end()) {
    throw ReadError("", fmt::format("{}: \"{}\" is missing", protocol.kind_key, protocol.kind_key));
  }
  if (!found->is_string()) {
    root.RefuseValue(*found, "a string");
  }
  const auto name = found->get<std::string>();
  const auto kind = std::ranges::find(protocol.kinds, name);
  if (kind == protocol.kinds.end()) {
    throw ReadError("", fmt::format("unknown {} {}{}", protocol.kind_key, config::Quoted(name),
                                    config::DidYouMean(name, protocol.kinds)));
  }
  const std::string prefix = fmt::format("{} {}", protocol.kind_key, name);
  if (!repeated.empty()) {
    throw ReadError(prefix,
                    fmt::format("the key {} occurs twice in one object", config::Quoted(repeated)));
  }
  json.erase(protocol.kind_key);
  const Chosen chosen = choose(variant, static_cast<std::size_t>(kind - protocol.kinds.begin()));
  const Place inside{.refuses_unknown = protocol.refuses_unknown};
  try {
    chosen.record.Read(chosen.value, json, inside);
  } catch (const ReadError& error) {
    throw ReadError(prefix, error.what());
  }
}

}  // namespace schedbench::record
