#include "config/json_syntax_error.hpp"

#include "config/number_text.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace schedbench::config {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kWordEnd = " \t\r\n,:{}[]\"";

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

// nlohmann says "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
// while parsing value - what it is; last read: 'the token'": leaves "what it is". The place is told
// by us, and the token is the user's text.
std::string_view Essence(std::string_view said) {
  for (const std::string_view before : {"] ", ": ", " - "}) {
    if (const std::size_t at = said.find(before); at != said.npos) {
      said.remove_prefix(at + before.size());
    }
  }
  return said.substr(0, said.find("; last read: "));
}

bool IsNotANumber(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords{"NaN", "Infinity", "-Infinity",
                                                   "nan", "inf",      "-inf"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool LooksLikeANumber(std::string_view word) {
  return Contains("+-.0123456789", word.substr(0, 1));
}

std::string DescribeWord(std::string_view word, std::string_view said, bool is_whole_word) {
  if (word.front() == '/' || word.front() == '#') {
    return "JSON has no comments; for a note, use a key that begins with \"x-\"";
  }
  if (word.front() == '\'') {
    return "JSON strings take double quotes";
  }
  if (Contains(said, "number overflow")) {
    return fmt::format("{} is too large for a number", Escaped(word));
  }
  if (IsNotANumber(word)) {
    return fmt::format("{} is not a JSON number", word);
  }
  // The parser took the start of the word for a value, or nothing of it.
  if (!is_whole_word || Contains(said, "invalid literal") || Contains(said, "invalid number")) {
    return LooksLikeANumber(word)
               ? fmt::format("{} is not a JSON number; write it in plain decimal", Escaped(word))
               : fmt::format("{} is not a JSON value", Escaped(word));
  }
  return std::string(Essence(said));
}

}  // namespace

std::size_t TokenLength(std::string_view text) {
  if (text.empty()) {
    return 0;
  }
  if (text.front() == '"') {
    std::size_t end = 1;
    while (end < text.size() && text[end] != '"') {
      end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, text.size());
  }
  if (Contains("{}[],:", text.substr(0, 1))) {
    return 1;
  }
  if (const std::size_t length = NumberLength(text); length > 0) {
    return length;
  }
  return std::min(text.find_first_of(kWordEnd), text.size());
}

JsonSyntaxError DescribeSyntaxError(std::string_view text, std::size_t token, std::size_t last_read,
                                    std::string_view said) {
  if (Contains(said, "ill-formed UTF-8") || text.starts_with("\xFF\xFE") ||
      text.starts_with("\xFE\xFF")) {
    return {std::min(last_read, text.size()), "not UTF-8; save the file as UTF-8"};
  }
  if (token >= text.size()) {
    return {text.size(), "the file ends too early: an object, an array or a value is incomplete"};
  }
  if (Contains(said, "missing closing quote")) {
    return {token, "the string has no closing quote"};
  }
  if (Contains(said, "invalid string")) {
    return {std::min(last_read, text.size()), std::string(Essence(said))};
  }
  const char first = text[token];
  if (first == '"') {
    return {token, std::string(Essence(said))};
  }
  if (Contains("{}[],:", {&first, 1})) {
    const std::size_t before = text.substr(0, token).find_last_not_of(kSpace);
    const bool after_comma = before != text.npos && text[before] == ',';
    if (after_comma && (first == '}' || first == ']')) {
      return {before, "a comma with nothing after it; JSON has no trailing commas"};
    }
    return {token, std::string(Essence(said))};
  }
  // 010 and 0x10 are a number to the parser, with a word that follows at once.
  const std::size_t word_end = std::min(text.find_first_of(kWordEnd, token), text.size());
  const std::size_t before_word = token == 0 ? text.npos : text.find_last_of(kWordEnd, token - 1);
  const std::size_t start = before_word == text.npos ? 0 : before_word + 1;
  return {start, DescribeWord(text.substr(start, word_end - start), said, start == token)};
}

}  // namespace schedbench::config
