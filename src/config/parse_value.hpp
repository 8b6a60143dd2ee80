#pragma once

#include "config/schema.hpp"
#include "config/value.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace schedbench::config {

struct JsonNode;

// A value inside the field's limits, or a message that says what was given and what is allowed.
struct ParsedValue {
  std::optional<Value> value;
  std::string error;  // empty if and only if there is a value
};

// Convert what the user wrote to a value of a field that is not a group. Nothing is guessed or
// rounded: a number has JSON's decimal form, a whole one only digits; NaN and infinity are
// not numbers.

// Converts text of a flag: 256, -1, 0.5, true, half.
ParsedValue ParseText(const FieldInfo& field, std::string_view text);

// Converts a value of a file. Enums are JSON strings, bools are true and false.
ParsedValue ParseNode(const FieldInfo& field, const JsonNode& node);

}  // namespace schedbench::config
