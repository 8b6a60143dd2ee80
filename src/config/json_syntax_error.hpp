#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::config {

// What is wrong with a text that is not JSON, in terms of what the user probably did. Internal to
// JsonDocument::Parse.
struct JsonSyntaxError {
  std::size_t offset;
  std::string message;
};

// Returns the length of the token at the start of `text`: a string with its quotes, a number, a
// word or a bracket. 0 for an empty text.
std::size_t TokenLength(std::string_view text);

// Where the parser stopped.
struct JsonRefusal {
  std::size_t token;  // the offset of the first token that it did not take, or the end of the text
  std::size_t last_read;      // the offset of the last byte that it looked at
  bool too_large;             // the token is a number that no double holds
  std::string_view expected;  // in place of the token: "a value"
};

JsonSyntaxError DescribeSyntaxError(std::string_view text, const JsonRefusal& refusal);

}  // namespace schedbench::config
