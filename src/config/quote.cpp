#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace schedbench::config {

namespace {

struct Character {
  std::uint32_t code;  // the first byte of an invalid sequence
  std::size_t length;  // in bytes
  bool valid;
};

// Decodes a non-empty text's first character by RFC 3629: not overlong, surrogate or > U+10FFFF.
Character Decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    return {first, 1, true};
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const Character invalid{first, 1, false};
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return invalid;
  }
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return invalid;
    }
    code = (code << 6) | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    return invalid;
  }
  return {code, length, true};
}

// Returns whether a character moves or reorders what a terminal shows.
bool IsUnsafe(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string EscapedCharacter(const Character& character) {
  if (!character.valid) {
    return fmt::format("\\x{:02x}", character.code);
  }
  switch (character.code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return character.code < 0x80 ? fmt::format("\\x{:02x}", character.code)
                                   : fmt::format("\\u{{{:04x}}}", character.code);
  }
}

}  // namespace

std::string Escaped(std::string_view text, std::size_t most) {
  std::string result;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most) {
      return result + "...";
    }
    const Character character = Decode(text);
    if (character.code == '\\') {
      result += "\\\\";
    } else if (!character.valid || IsUnsafe(character.code)) {
      result += EscapedCharacter(character);
    } else {
      result += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return result;
}

std::string Quoted(std::string_view text) {
  return fmt::format("'{}'", Escaped(text));
}

bool IsPrintable(std::string_view text) {
  while (!text.empty()) {
    const Character character = Decode(text);
    if (!character.valid || IsUnsafe(character.code)) {
      return false;
    }
    text.remove_prefix(character.length);
  }
  return true;
}

std::size_t FirstInvalidByte(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = Decode(text.substr(at));
    if (!character.valid) {
      break;
    }
    at += character.length;
  }
  return at;
}

std::size_t CharacterCount(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(Decode(text).length);
    ++count;
  }
  return count;
}

std::string_view FirstCharacters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size() && count > 0; --count) {
    end += Decode(text.substr(end)).length;
  }
  return text.substr(0, end);
}

std::string_view LastCharacters(std::string_view text, std::size_t count) {
  const std::size_t all = CharacterCount(text);
  return text.substr(FirstCharacters(text, all - std::min(all, count)).size());
}

std::vector<std::string> WrapWords(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t length = 0;  // length of the last line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t count = CharacterCount(word);
    if (length > 0 && length + 1 + count > width) {
      lines.emplace_back();
      length = 0;
    }
    if (length > 0) {
      lines.back() += ' ';
      ++length;
    }
    lines.back() += word;
    length += count;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace schedbench::config
