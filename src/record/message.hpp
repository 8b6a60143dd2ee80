#pragma once

#include "record/record.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>

// Messages of a protocol: a JSON object on a line for each. A message is a std::variant of records;
// one key distinguishes them. Thread-safe.

namespace schedbench::record {

struct Protocol {
  const char* kind_key;                     // "request"
  std::span<const std::string_view> kinds;  // in the order of the variant's alternatives
  bool refuses_unknown;                     // a misspelt key would be a setting without effect
  std::size_t deepest_nesting;              // depth of objects and arrays inside each other
};

// The two directions of a conversation.
constexpr Protocol Requests(std::span<const std::string_view> kinds, std::size_t deepest_nesting) {
  return {"request", kinds, true, deepest_nesting};
}
// `refuses_unknown`: both sides have one revision. Otherwise a reply may report more.
constexpr Protocol Replies(std::span<const std::string_view> kinds, std::size_t deepest_nesting,
                           bool refuses_unknown = false) {
  return {"reply", kinds, refuses_unknown, deepest_nesting};
}

// An alternative of a variant, and its record.
struct Chosen {
  const Record& record;
  void* value;
};

// Untyped versions. `choose` makes the variant hold the alternative of a kind.
std::string LineOf(const Protocol& protocol, std::size_t kind, const Record& record,
                   const void* value);
void ReadLine(const Protocol& protocol, std::string_view line, void* variant,
              Chosen (*choose)(void* variant, std::size_t kind));

// Returns the message as a line, without the line break.
template <typename Message>
std::string ToLine(const Protocol& protocol, const Message& message) {
  return std::visit(
      [&]<typename T>(const T& value) {
        return LineOf(protocol, message.index(), RecordFor<T>(), &value);
      },
      message);
}

template <typename Message, std::size_t kIndex = 0>
Chosen ChooseKind(void* variant, std::size_t kind) {
  if constexpr (kIndex + 1 < std::variant_size_v<Message>) {
    if (kind != kIndex) {
      return ChooseKind<Message, kIndex + 1>(variant, kind);
    }
  }
  auto& value = static_cast<Message*>(variant)->template emplace<kIndex>();
  return {RecordFor<std::variant_alternative_t<kIndex, Message>>(), &value};
}

// Reads a line. Throws ReadError, whose complaint begins with the kind, for a line that is not a
// message of the protocol, for a key that occurs twice, and for more keys than
// config::JsonDocument::kMostKeys.
template <typename Message>
Message FromLine(const Protocol& protocol, std::string_view line) {
  Message message;
  ReadLine(protocol, line, &message, &ChooseKind<Message>);
  return message;
}

}  // namespace schedbench::record
