#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::config {

// The error in a text, as the user probably made it. Internal to JsonDocument::Parse.
struct JsonSyntaxError {
  std::size_t offset;
  std::string message;
};

// Returns the length of the token at the start of `text`: a string with its quotes, a number, a
// word or a bracket. 0 for an empty text.
std::size_t TokenLength(std::string_view text);

// The position at which the parser stopped.
struct JsonRefusal {
  std::size_t token;          // offset of the first refused token, or the end of the text
  std::size_t last_read;      // offset of the last byte that it read
  bool too_large;             // the token is a number that a double cannot hold
  std::string_view expected;  // expected instead of the token: "a value"
};

JsonSyntaxError DescribeSyntaxError(std::string_view text, const JsonRefusal& refusal);

}  // namespace schedbench::config
