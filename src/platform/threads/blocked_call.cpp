#include "platform/threads/blocked_call.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

BlockedCall::BlockedCall(int thread) noexcept {
  std::array<char, 48> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/syscall", thread);
  file_ = ::open(path.data(), O_RDONLY | O_CLOEXEC);
}

BlockedCall::~BlockedCall() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

std::optional<BlockedIn> BlockedCall::Look() const noexcept {
  // "running", or the call's number (-1: none), arguments, stack pointer and program counter.
  std::array<char, 256> text;
  const ssize_t size = file_ < 0 ? -1 : ::pread(file_, text.data(), text.size(), 0);
  if (size <= 0) {
    return std::nullopt;
  }
  const std::string_view line(text.data(), static_cast<std::size_t>(size));
  if (line.starts_with("running")) {
    return BlockedIn::kNothing;
  }
  long number = 0;
  if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc()) {
    return std::nullopt;
  }
  switch (number) {
#ifdef SYS_nanosleep
    case SYS_nanosleep:
#endif
    case SYS_clock_nanosleep:
      return BlockedIn::kSleep;
    case SYS_futex:
      return BlockedIn::kFutex;
    default:
      return BlockedIn::kOther;
  }
}

}  // namespace schedbench::platform
