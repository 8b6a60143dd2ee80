#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Most characters of a user's text that a message repeats.
inline constexpr std::size_t kShownCharacters = 80;

// Returns text that is safe to print: control characters, bidirectional overrides, invalid UTF-8
// and backslashes become \n, \t, \\, \xNN or \u{NNNN}; after `most` characters it ends in "...".
std::string Escaped(std::string_view text, std::size_t most = kShownCharacters);

// Returns 'text', escaped.
std::string Quoted(std::string_view text);

// Returns whether the text is valid UTF-8 without control characters and bidirectional overrides.
bool IsPrintable(std::string_view text);

// Returns the offset of the first byte outside of UTF-8 characters, or the text's size.
std::size_t FirstInvalidByte(std::string_view text);

// Counts the characters (code points) of UTF-8 text: its columns in a terminal, except for wide and
// combining ones. Each invalid byte counts as one.
std::size_t CharacterCount(std::string_view text);

// Return the first and the last `count` characters of valid UTF-8 text, or all of it.
std::string_view FirstCharacters(std::string_view text, std::size_t count);
std::string_view LastCharacters(std::string_view text, std::size_t count);

// Breaks a text into lines of at most `width` characters, at spaces; a longer word has its own
// line. Returns at least one line.
std::vector<std::string> WrapWords(std::string_view text, std::size_t width);

}  // namespace schedbench::config
