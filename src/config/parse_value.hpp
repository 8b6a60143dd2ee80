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
  std::string error;  // empty iff there is a value
};

// Convert what the user wrote to a value of a field that is not a group. Nothing is guessed or
// rounded: a number is written as in JSON, in decimal, a whole one in digits alone; NaN and
// infinity are not numbers.

// From a flag: 256, -1, 0.5, true, half.
ParsedValue ParseText(const FieldInfo& field, std::string_view text);

// From a file. Enums are JSON strings, bools are true and false.
ParsedValue ParseNode(const FieldInfo& field, const JsonNode& node);

}  // namespace schedbench::config
