#include "platform/process/hogs.hpp"

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// Runs in the child.
[[noreturn]] void UseCpu(pid_t parent) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(0);  // the parent ended before prctl()
  }
  ::prctl(PR_SET_NAME, "hog");
  for (;;) {
    asm volatile("");  // a loop without effects may be removed
  }
}

}  // namespace

Hogs::Hogs(std::uint32_t count) {
  const pid_t parent = ::getpid();
  for (std::uint32_t i = 0; i < count; ++i) {
    const pid_t process = ::fork();
    if (process == 0) {
      UseCpu(parent);
    }
    if (process < 0) {
      const std::string reason = std::system_category().message(errno);
      End();
      throw std::runtime_error("cannot start a process: " + reason +
                               " (limits: ulimit -u, cgroup pids.max)");
    }
    processes_.push_back(process);
  }
}

Hogs::~Hogs() {
  End();
}

void Hogs::End() noexcept {
  for (const pid_t process : processes_) {
    ::kill(process, SIGKILL);
    // A signal may interrupt the wait.
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  processes_.clear();
}

}  // namespace schedbench::platform
