#include "platform/process/group_watch.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// The pipe ends with the process that writes to it. Calls only what is safe after fork().
[[noreturn]] void WatchPipe(int pipe) {
  ::setsid();  // Ctrl-C is for the process that is watched
  pid_t group = 0;
  pid_t next = 0;
  while (true) {
    const ssize_t count = ::read(pipe, &next, sizeof next);
    if (count == static_cast<ssize_t>(sizeof next)) {
      group = next;
    } else if (count >= 0 || errno != EINTR) {
      break;
    }
  }
  if (group > 0) {
    ::kill(-group, SIGKILL);
  }
  ::_exit(0);
}

}  // namespace

GroupWatch::GroupWatch() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "no pipe");
  }
  watcher_ = ::fork();
  if (watcher_ == 0) {
    ::close(ends[1]);
    WatchPipe(ends[0]);
  }
  const int error = errno;
  ::close(ends[0]);
  pipe_ = ends[1];
  if (watcher_ < 0) {
    ::close(pipe_);
    throw std::system_error(error, std::generic_category(), "no process");
  }
}

GroupWatch::~GroupWatch() {
  Send(0);
  ::close(pipe_);
  while (::waitpid(watcher_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void GroupWatch::Watch(pid_t group) noexcept {
  Send(group);
}

// A pipe takes so few bytes at once. The watcher ends only after this process, or by a foreign SIGKILL: SIGPIPE is ignored.
void GroupWatch::Send(pid_t group) noexcept {
  while (::write(pipe_, &group, sizeof group) < 0 && errno == EINTR) {
  }
}

}  // namespace schedbench::platform
