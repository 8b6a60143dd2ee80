#pragma once

#include <cstddef>
#include <optional>

namespace schedbench::platform {

enum class Stream { kOut, kError };

// Returns whether a person sees the stream directly.
bool IsTerminal(Stream stream) noexcept;

// Returns whether a person sees stdout and types on stdin.
bool HasKeysAndScreen() noexcept;

// A size in characters.
struct TerminalSize {
  std::size_t columns;
  std::size_t rows;
};

// Returns the size of the terminal; nothing if the stream is not a terminal or does not report it.
std::optional<TerminalSize> SizeOf(Stream stream) noexcept;

// Returns whether the stream is a terminal that can erase a line: TERM is not "dumb".
bool ErasesLines(Stream stream) noexcept;

// Returns whether the stream is a terminal that may get colours: NO_COLOR (https://no-color.org) is
// not set and TERM is not "dumb".
bool TakesColour(Stream stream) noexcept;

// Returns whether text may exceed ASCII: not if the locale (LC_ALL, LC_CTYPE, LANG) has another
// character set. Without any locale, as in containers, the terminal outside is nearly always UTF-8.
bool TakesUtf8() noexcept;

}  // namespace schedbench::platform
