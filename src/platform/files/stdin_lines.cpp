#include "platform/files/stdin_lines.hpp"

#include "platform/files/interrupted.hpp"

#include <array>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// Returns whether a read would not wait. A negative timeout is unlimited.
bool HasInput(int timeout_ms) noexcept {
  pollfd wanted{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return RepeatInterrupted([&] { return ::poll(&wanted, 1, timeout_ms); }) > 0;
}

}  // namespace

std::optional<std::string> StdinLines::Next() {
  std::size_t searched = 0;
  std::size_t end = text_.find('\n');
  while (end == std::string::npos) {
    searched = text_.size();
    if (!Read()) {
      return text_.empty() ? std::nullopt : std::optional(std::exchange(text_, ""));
    }
    end = text_.find('\n', searched);
  }
  std::string line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return line;
}

bool StdinLines::IsReady() const noexcept {
  return !text_.empty() || HasInput(0);
}

bool StdinLines::Read() {
  HasInput(-1);  // a read of a blocking pipe would wait itself, one with O_NONBLOCK would fail
  std::array<char, 65536> piece;
  const ssize_t count =
      RepeatInterrupted([&] { return ::read(STDIN_FILENO, piece.data(), piece.size()); });
  if (count > 0) {
    text_.append(piece.data(), static_cast<std::size_t>(count));
  }
  return count > 0;
}

}  // namespace schedbench::platform
