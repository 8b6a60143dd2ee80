#include "config/json_syntax_error.hpp"

#include "config/number_text.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace schedbench::config {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kWordEnd = " \t\r\n,:{}[]\"";

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

// Returns whether the parser takes the token by itself: then only its position is wrong.
bool IsValue(std::string_view token) {
  return nlohmann::ordered_json::accept(token);
}

bool IsNotANumber(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords{"NaN", "Infinity", "-Infinity",
                                                   "nan", "inf",      "-inf"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool LooksLikeANumber(std::string_view word) {
  return Contains("+-.0123456789", word.substr(0, 1));
}

std::string Unexpected(std::string_view found, std::string_view expected) {
  return fmt::format("unexpected {}; expected {}", found, expected);
}

std::string DescribeWord(std::string_view word, const JsonRefusal& refusal) {
  if (word.front() == '/' || word.front() == '#') {
    return "JSON has no comments; for a note, use a key that begins with \"x-\"";
  }
  if (word.front() == '\'') {
    return "JSON strings have double quotes";
  }
  if (refusal.too_large) {
    return fmt::format("{} is too large for a number", Escaped(word));
  }
  if (IsNotANumber(word)) {
    return fmt::format("{} is not a JSON number", word);
  }
  if (IsValue(word)) {
    return Unexpected(Escaped(word), refusal.expected);
  }
  return LooksLikeANumber(word)
             ? fmt::format("{} is not a JSON number; write it as a plain decimal number",
                           Escaped(word))
             : fmt::format("{} is not a JSON value", Escaped(word));
}

// Describes an error in a string. `at`: the offset of the last byte that the parser read.
std::string DescribeInString(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x20) {
    return fmt::format("a string cannot contain a control character; write it as \\u{:04X}", byte);
  }
  if (text[at - 1] == '\\' && !Contains("\"\\/bfnrtu", text.substr(at, 1))) {
    return R"(unknown escape; JSON has \" \\ \/ \b \f \n \r \t and \uNNNN)";
  }
  return R"(\u needs four hex digits; \uD800..\uDBFF needs a \uDC00..\uDFFF after it)";
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
  for (const std::string_view literal : {"true", "false", "null"}) {
    if (text.starts_with(literal)) {  // the parser takes it without looking at what follows
      return literal.size();
    }
  }
  if (const std::size_t length = NumberLength(text); length > 0) {
    return length;
  }
  return std::min(text.find_first_of(kWordEnd), text.size());
}

JsonSyntaxError DescribeSyntaxError(std::string_view text, const JsonRefusal& refusal) {
  const std::size_t token = refusal.token;
  const std::size_t last_read = std::min(refusal.last_read, text.size());
  const char first = token < text.size() ? text[token] : ' ';
  // Outside of strings the parser has another reason to stop.
  const bool bad_byte = first == '"' && token + FirstInvalidByte(text.substr(token)) <
                                            std::min(last_read + 1, text.size());
  if (bad_byte || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return {last_read, "the text is not UTF-8; save the file as UTF-8"};
  }
  if (token >= text.size()) {
    return {text.size(), "the file ends inside an object, an array or a value"};
  }
  if (first == '"') {
    if (last_read == text.size()) {
      return {token, "the string has no closing quote"};
    }
    return IsValue(text.substr(token, TokenLength(text.substr(token))))
               ? JsonSyntaxError{token, Unexpected("string", refusal.expected)}
               : JsonSyntaxError{last_read, DescribeInString(text, last_read)};
  }
  if (Contains("{}[],:", {&first, 1})) {
    const std::size_t before = text.substr(0, token).find_last_not_of(kSpace);
    const bool after_comma = before != text.npos && text[before] == ',';
    if (after_comma && (first == '}' || first == ']')) {
      return {before, "a comma before the closing bracket; JSON has no trailing commas"};
    }
    return {token, Unexpected(fmt::format("'{}'", first), refusal.expected)};
  }
  // The parser takes 010, 0x10 and trues for a value that a word follows at once.
  const std::size_t word_end = std::min(text.find_first_of(kWordEnd, token), text.size());
  const std::size_t before_word = token == 0 ? text.npos : text.find_last_of(kWordEnd, token - 1);
  const std::size_t start = before_word == text.npos ? 0 : before_word + 1;
  return {start, DescribeWord(text.substr(start, word_end - start), refusal)};
}

}  // namespace schedbench::config
