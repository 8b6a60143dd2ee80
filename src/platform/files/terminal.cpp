#include "platform/files/terminal.hpp"

#include <strings.h>

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

std::string_view Environment(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int DescriptorOf(Stream stream) noexcept {
  return stream == Stream::kOut ? STDOUT_FILENO : STDERR_FILENO;
}

}  // namespace

bool IsTerminal(Stream stream) noexcept {
  return ::isatty(DescriptorOf(stream)) == 1;
}

bool HasKeysAndScreen() noexcept {
  return ::isatty(STDIN_FILENO) == 1 && IsTerminal(Stream::kOut);
}

std::optional<TerminalSize> SizeOf(Stream stream) noexcept {
  winsize size{};
  if (::ioctl(DescriptorOf(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return std::nullopt;
  }
  return TerminalSize{.columns = size.ws_col, .rows = size.ws_row};
}

bool ErasesLines(Stream stream) noexcept {
  return Environment("TERM") != "dumb" && IsTerminal(stream);
}

bool TakesColour(Stream stream) noexcept {
  return Environment("NO_COLOR").empty() && ErasesLines(stream);
}

bool TakesUtf8() noexcept {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = Environment(name);
    if (!locale.empty()) {
      const std::size_t dot = locale.find('.');
      if (dot == std::string_view::npos) {
        return locale != "C" && locale != "POSIX";
      }
      const char* const charset = locale.data() + dot + 1;
      return ::strncasecmp(charset, "utf-8", 5) == 0 || ::strncasecmp(charset, "utf8", 4) == 0;
    }
  }
  return true;
}

}  // namespace schedbench::platform
