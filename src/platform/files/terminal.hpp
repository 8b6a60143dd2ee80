#pragma once

#include <cstddef>
#include <optional>

namespace schedbench::platform {

enum class Stream { kOut, kError };

// Returns true iff a person sees the stream directly.
bool IsTerminal(Stream stream) noexcept;

// Returns true iff a person sees stdout and types on stdin.
bool HasKeysAndScreen() noexcept;

// A size in characters.
struct TerminalSize {
  std::size_t columns;
  std::size_t rows;
};

// Returns the size of the terminal; none if the stream is no terminal, or one that does not report its size.
std::optional<TerminalSize> SizeOf(Stream stream) noexcept;

// Returns true iff the stream is a terminal that can erase a line: TERM is not "dumb".
bool ErasesLines(Stream stream) noexcept;

// Returns true iff the stream is a terminal that may get colours: NO_COLOR (https://no-color.org) is not set
// and TERM is not "dumb".
bool TakesColour(Stream stream) noexcept;

// Returns whether text may go beyond ASCII: unless the locale (LC_ALL, LC_CTYPE, LANG) says another character
// set. Where no locale is set at all, as in containers, the terminal outside is UTF-8 nearly always.
bool TakesUtf8() noexcept;

}  // namespace schedbench::platform
