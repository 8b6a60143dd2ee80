#include "platform/process/guard.hpp"

#include "platform/process/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

using GuardClock = std::chrono::steady_clock;

// The signals to quit and SIGCHLD, as a stream.
int SignalStream() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    ::sigaddset(&signals, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const int fd = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) {
    throw std::system_error(errno, std::generic_category(), "no signals");
  }
  return fd;
}

// Takes the signals that have come. Returns whether one of them was a signal to quit.
bool TakeSignalToQuit(int fd) {
  bool quits = false;
  signalfd_siginfo info{};
  while (::read(fd, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    quits = quits || info.ssi_signo != SIGCHLD;
  }
  return quits;
}

}  // namespace

ProcessEnd RunGuarded(const std::vector<std::string>& command, std::chrono::nanoseconds patience) {
  const int signals = SignalStream();
  const pid_t pid = SpawnInOwnGroup(command);
  std::array<pollfd, 2> streams{pollfd{.fd = STDIN_FILENO, .events = POLLRDHUP, .revents = 0},
                                pollfd{.fd = signals, .events = POLLIN, .revents = 0}};
  GuardClock::time_point deadline = GuardClock::time_point::max();
  siginfo_t end{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         end.si_pid == 0) {
    int wait_ms = -1;
    if (deadline != GuardClock::time_point::max()) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - GuardClock::now()).count();
      if (left <= 0) {
        break;
      }
      wait_ms = static_cast<int>(std::min<long>(left, 1'000'000));
    }
    ::poll(streams.data(), streams.size(), wait_ms);
    if (streams[0].revents != 0) {
      deadline = std::min(deadline, GuardClock::now() + patience);
      streams[0].fd = -1;  // which poll passes over
    }
    if (streams[1].revents != 0 && TakeSignalToQuit(signals)) {
      break;
    }
  }
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(signals);
  if (WIFSIGNALED(status)) {
    return {.code = 0, .signal = WTERMSIG(status)};
  }
  return {.code = WEXITSTATUS(status), .signal = 0};
}

}  // namespace schedbench::platform
