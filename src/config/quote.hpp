#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// How many characters of a user's text a message repeats.
inline constexpr std::size_t kShownCharacters = 80;

// Returns text that is safe to print: control characters, bidirectional overrides, invalid UTF-8
// and backslashes are written as \n, \t, \\, \xNN or \u{NNNN}; beyond `most` characters it ends in
// "...".
std::string Escaped(std::string_view text, std::size_t most = kShownCharacters);

// Returns 'text', escaped.
std::string Quoted(std::string_view text);

// Returns whether a terminal shows the text as it is: valid UTF-8 without control characters and bidirectional overrides.
bool IsPrintable(std::string_view text);

// Returns the offset of the first byte that is not part of a UTF-8 character; the text's size when there is none.
std::size_t FirstInvalidByte(std::string_view text);

// Counts the characters (code points) of UTF-8 text: the columns that it fills in a terminal, but
// for wide and combining ones. Each invalid byte counts as one.
std::size_t CharacterCount(std::string_view text);

// Return the first and the last `count` characters of valid UTF-8 text, or all of it.
std::string_view FirstCharacters(std::string_view text, std::size_t count);
std::string_view LastCharacters(std::string_view text, std::size_t count);

// Breaks a text into lines of at most `width` characters, at spaces; a longer word has a line of its own. At least one line.
std::vector<std::string> WrapWords(std::string_view text, std::size_t width);

}  // namespace schedbench::config
