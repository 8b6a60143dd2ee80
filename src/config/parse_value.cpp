#include "config/parse_value.hpp"

#include "config/json_document.hpp"
#include "config/number_text.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <type_traits>
#include <utility>

namespace schedbench::config {

namespace {

std::string AllowedInWords(const FieldInfo& field) {
  if (field.power_of_two) {
    return fmt::format("a power of two in {}..{}", ToText(field.min), ToText(field.max));
  }
  return field.Allowed();
}

ParsedValue Refused(const FieldInfo& field, std::string_view shown, std::string_view what) {
  return {std::nullopt,
          fmt::format("{} is not {}; expected {}", shown, what, AllowedInWords(field))};
}

ParsedValue OutOfLimits(const FieldInfo& field, std::string_view shown) {
  return {std::nullopt, field.power_of_two
                            ? fmt::format("{} is not {}", shown, AllowedInWords(field))
                            : fmt::format("{} is outside {}", shown, field.Allowed())};
}

template <typename T>
ParsedValue ParseNumberAs(const FieldInfo& field, std::string_view text, std::string_view shown) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // The grammar holds, so only a number beyond T or a minus of an unsigned fails.
  if (error == std::errc{} && end == text.data() + text.size()) {
    Value value(number);
    if (field.Admits(value)) {
      return {std::move(value), ""};
    }
  } else if constexpr (std::is_same_v<T, double>) {
    return Refused(field, shown, "a number that a double can hold");
  }
  return OutOfLimits(field, shown);
}

// `shown`: the text as the message repeats it.
ParsedValue ParseNumber(const FieldInfo& field, std::string_view text, std::string_view shown) {
  const NumberForm form = FormOf(text);
  if (field.kind == Kind::kReal) {
    return form == NumberForm::kNone ? Refused(field, shown, "a plain decimal number")
                                     : ParseNumberAs<double>(field, text, shown);
  }
  if (form != NumberForm::kWhole) {
    return Refused(field, shown, "a plain whole number");
  }
  return field.kind == Kind::kUnsigned ? ParseNumberAs<std::uint64_t>(field, text, shown)
                                       : ParseNumberAs<std::int64_t>(field, text, shown);
}

ParsedValue ParseName(const FieldInfo& field, std::string_view text, std::string_view shown) {
  if (std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end()) {
    return {Value(std::string(text)), ""};
  }
  std::string error = fmt::format("{} is not one of {}", shown, field.Allowed());
  if (const auto nearest = Nearest(text, field.choices)) {
    error += fmt::format("; did you mean '{}'?", *nearest);
  }
  return {std::nullopt, std::move(error)};
}

ParsedValue ParseBool(std::string_view text, std::string_view shown) {
  if (text == "true" || text == "false") {
    return {Value(text == "true"), ""};
  }
  return {std::nullopt, fmt::format("{} is not true or false", shown)};
}

ParsedValue ParseFile(const FieldInfo& field, std::string_view text, std::string_view shown) {
  Value value{std::string(text)};
  return field.Admits(value) ? ParsedValue{std::move(value), ""}
                             : Refused(field, shown, "a name without control characters");
}

// Returns the words of a message for a value that cannot be one of the field's.
std::string Shown(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::kNull:
      return "null";
    case JsonNode::Kind::kBool:
    case JsonNode::Kind::kNumber:
      return Escaped(node.text);
    case JsonNode::Kind::kString:
      return fmt::format("\"{}\"", Escaped(node.text));
    case JsonNode::Kind::kArray:
      return "an array";
    case JsonNode::Kind::kObject:
      return "an object";
  }
  return "";
}

}  // namespace

ParsedValue ParseText(const FieldInfo& field, std::string_view text) {
  if (text.empty()) {
    return {std::nullopt, fmt::format("the value is empty; expected {}", AllowedInWords(field))};
  }
  const std::string shown = Quoted(text);
  switch (field.kind) {
    case Kind::kBool:
      return ParseBool(text, shown);
    case Kind::kEnum:
      return ParseName(field, text, shown);
    case Kind::kFile:
      return ParseFile(field, text, shown);
    default:
      return ParseNumber(field, text, shown);
  }
}

namespace {

ParsedValue ParseTyped(const FieldInfo& field, const JsonNode& node) {
  const std::string shown = Shown(node);
  switch (field.kind) {
    case Kind::kBool:
      return ParseBool(node.kind == JsonNode::Kind::kBool ? node.text : "", shown);
    case Kind::kEnum:
      // "" is not a name and is not close to one.
      return ParseName(field, node.kind == JsonNode::Kind::kString ? node.text : "", shown);
    case Kind::kFile:
      return node.kind == JsonNode::Kind::kString ? ParseFile(field, node.text, shown)
                                                  : Refused(field, shown, "a text");
    default:
      return ParseNumber(field, node.kind == JsonNode::Kind::kNumber ? node.text : "", shown);
  }
}

}  // namespace

ParsedValue ParseNode(const FieldInfo& field, const JsonNode& node) {
  ParsedValue parsed = ParseTyped(field, node);
  if (!parsed.value && node.kind == JsonNode::Kind::kString && ParseText(field, node.text).value) {
    parsed.error += "    write it without quotes";
  }
  return parsed;
}

std::string ToText(const Value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

}  // namespace schedbench::config
