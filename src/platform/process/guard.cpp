#include "platform/process/guard.hpp"

#include "base/assert.hpp"

#include <spawn.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A guard of kDescendants is the reaper of its program's descendants: if the parent of one ends, it
// becomes a child of the guard. The number of a child is not reused before its parent has waited
// for it, so the guard kills only the intended processes.

extern char** environ;

namespace schedbench::platform {

namespace {

// A program that is ready to be started. Start() allocates nothing: it may follow a fork() with
// threads.
class ReadyProgram {
 public:
  // `command`: the program (without a slash it is searched in PATH) and its arguments; not empty.
  explicit ReadyProgram(std::vector<std::string> command)
      : command_(std::move(command)) {
    SB_ASSERT(!command_.empty(), "no program");
    for (std::string& word : command_) {
      words_.push_back(word.data());
    }
    words_.push_back(nullptr);
    // This program ignores some signals and handles others.
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~ReadyProgram() {
    ::posix_spawnattr_destroy(&attributes_);
  }

  ReadyProgram(const ReadyProgram&) = delete;
  ReadyProgram& operator=(const ReadyProgram&) = delete;

  // Starts it in a process group of its own, with the streams of this process, default actions of
  // all signals and none blocked. Returns 0 and its number in `pid`, or an errno.
  int Start(pid_t& pid) noexcept {
    return ::posix_spawnp(&pid, words_.front(), nullptr, &attributes_, words_.data(), environ);
  }

 private:
  std::vector<std::string> command_;
  std::vector<char*> words_;
  posix_spawnattr_t attributes_{};
};

using GuardClock = std::chrono::steady_clock;

ProcessEnd EndOf(const siginfo_t& info) noexcept {
  return info.si_code == CLD_EXITED ? ProcessEnd{.code = info.si_status, .signal = 0}
                                    : ProcessEnd{.code = 0, .signal = info.si_status};
}

// Calls `child(number)` for the children of this thread that have not been waited for.
template <typename Child>
void ForEachChild(Child child) noexcept {
  const int fd = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  std::array<char, 4096> text{};
  const ssize_t size = ::read(fd, text.data(), text.size());
  ::close(fd);
  pid_t number = 0;
  // A space follows each number except one that the buffer cuts, which the next call reads.
  for (ssize_t i = 0; i < size; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    if (c != ' ') {
      number = number * 10 + (c - '0');
    } else {
      child(std::exchange(number, 0));
    }
  }
}

// Guards one program. Allocates no memory.
class Guard {
 public:
  // Blocks the signals that it takes. Check Error().
  explicit Guard(Reach reach) noexcept
      : reach_(reach) {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
      ::sigaddset(&signals, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGCHLD, SIG_DFL);  // if ignored, children could not be waited for
    signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    error_ = signals_ < 0 ? errno : 0;
    if (reach == Reach::kDescendants) {
      ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    }
    // A shell that replaced itself by this program may have left children.
    ForEachChild([this](pid_t child) {
      if (foreign_count_ < foreign_.size()) {
        foreign_[foreign_count_++] = child;
      }
    });
  }

  ~Guard() {
    ::close(signals_);
  }

  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Starts the program. Returns 0 or an errno.
  int Start(ReadyProgram& program) noexcept {
    return error_ != 0 ? error_ : program.Start(program_);
  }

  pid_t Program() const noexcept {
    return program_;
  }

  // Waits until the program has ended, `patience` has passed since `line` lost its other end, or a
  // signal to quit came. Kills the rest.
  ProcessEnd Finish(int line, std::chrono::nanoseconds patience) noexcept {
    std::array<pollfd, 2> streams{pollfd{.fd = line, .events = POLLRDHUP, .revents = 0},
                                  pollfd{.fd = signals_, .events = POLLIN, .revents = 0}};
    GuardClock::time_point deadline = GuardClock::time_point::max();
    while (!HasEnded()) {
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
        streams[0].fd = -1;  // poll ignores it
      }
      if (streams[1].revents != 0 && TakeSignalToQuit()) {
        break;
      }
    }
    return KillAll();
  }

 private:
  // Takes the arrived signals. Returns whether one of them was a signal to quit.
  bool TakeSignalToQuit() const noexcept {
    bool quits = false;
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      quits = quits || info.ssi_signo != SIGCHLD;
    }
    return quits;
  }

  // Kills children of this process from after the guard's start. Returns whether it killed any.
  bool KillChildren() const noexcept {
    bool killed = false;
    ForEachChild([&](pid_t child) {
      const auto end = foreign_.begin() + static_cast<std::ptrdiff_t>(foreign_count_);
      killed =
          (std::find(foreign_.begin(), end, child) == end && ::kill(child, SIGKILL) == 0) || killed;
    });
    return killed;
  }

  // Returns whether the program has ended. Waits for other ended children.
  bool HasEnded() const noexcept {
    for (siginfo_t info{}; ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                           info.si_pid != 0 && info.si_pid != program_;
         info = {}) {
      ::waitpid(info.si_pid, nullptr, 0);
    }
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(program_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
  }

  // Kills all. A process may start others until it ends; these become children, so this loop ends.
  ProcessEnd KillAll() const noexcept {
    constexpr int kLookMs = 10;  // SIGCHLD ends the wait earlier
    ProcessEnd end;
    bool runs = true;
    pollfd signals{.fd = signals_, .events = POLLIN, .revents = 0};
    for (;;) {
      if (runs) {
        ::kill(-program_, SIGKILL);
      }
      const bool killed = reach_ == Reach::kDescendants && KillChildren();
      siginfo_t info{};
      if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG) != 0) {
        return end;
      }
      if (info.si_pid == program_) {
        end = EndOf(info);
        runs = false;
      } else if (info.si_pid == 0) {
        if (!runs && !killed) {
          return end;
        }
        ::poll(&signals, 1, kLookMs);
        TakeSignalToQuit();
      }
    }
  }

  const Reach reach_;
  int signals_ = -1;
  int error_ = 0;
  pid_t program_ = -1;
  // Earlier children of this process. Arbitrary: more than a login shell has.
  std::array<pid_t, 256> foreign_{};
  std::size_t foreign_count_ = 0;
};

// Reads a whole value. Returns whether there was one.
template <typename Value>
bool Receive(int line, Value& value) noexcept {
  ssize_t size = 0;
  while ((size = ::recv(line, &value, sizeof value, MSG_WAITALL)) < 0 && errno == EINTR) {
  }
  return size == static_cast<ssize_t>(sizeof value);
}

void WaitFor(pid_t guard) noexcept {
  while (::waitpid(guard, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// The first message of a guard.
struct Started {
  int error = 0;  // an errno; 0 if the program runs
  pid_t program = -1;
};

// Runs the guard in a process of its own, after fork() with all signals blocked.
[[noreturn]] void GuardInChild(ReadyProgram& program, int line, const std::array<int, 3>& streams,
                               Reach reach, std::chrono::nanoseconds patience) noexcept {
  constexpr int kLine = 3;
  ::setpgid(0, 0);  // Ctrl-C is for the process that started this one
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::signal(signal, SIG_IGN);  // discards an earlier one
    ::signal(signal, SIG_DFL);
  }
  // Each stream must be copied before it is overwritten.
  std::array<int, 4> copies{};
  for (std::size_t i = 0; i < copies.size(); ++i) {
    copies[i] = ::fcntl(i < streams.size() ? streams[i] : line, F_DUPFD, kLine + 1);
    if (copies[i] < 0) {
      const Started failed{.error = errno};
      ::send(line, &failed, sizeof failed, MSG_NOSIGNAL);
      ::_exit(0);
    }
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    ::dup2(copies[i], static_cast<int>(i));  // needs no new descriptor
  }
  ::fcntl(kLine, F_SETFD, FD_CLOEXEC);
  // Other programs end when no process has the other end of their stdin.
  ::closefrom(kLine + 1);
  Guard guard(reach);
  Started started;
  started.error = guard.Start(program);
  started.program = guard.Program();
  for (int stream = 0; stream < kLine; ++stream) {
    ::close(stream);
  }
  ::send(kLine, &started, sizeof started, MSG_NOSIGNAL);
  if (started.error == 0) {
    const ProcessEnd end = guard.Finish(kLine, patience);
    ::send(kLine, &end, sizeof end, MSG_NOSIGNAL);
  }
  ::_exit(0);
}

}  // namespace

std::string ProcessEnd::Text() const {
  if (signal == 0) {
    return "exit code " + std::to_string(code);
  }
  return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

ProcessEnd RunGuarded(const std::vector<std::string>& command, std::chrono::nanoseconds patience) {
  ReadyProgram program(command);
  Guard guard(Reach::kDescendants);
  if (const int error = guard.Start(program); error != 0) {
    throw std::system_error(error, std::generic_category(), command.front());
  }
  return guard.Finish(STDIN_FILENO, patience);
}

GuardedProgram StartGuarded(const std::vector<std::string>& command,
                            const std::array<int, 3>& streams, Reach reach,
                            std::chrono::nanoseconds patience) {
  ReadyProgram program(command);
  std::array<int, 2> line{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), command.front());
  }
  // Otherwise the kernel would reuse the number of a guard that has ended.
  struct sigaction on_child{};
  if (::sigaction(SIGCHLD, nullptr, &on_child) == 0 && on_child.sa_handler == SIG_IGN) {
    ::signal(SIGCHLD, SIG_DFL);
  }
  // A handler of this process must not run in the child.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t guard = ::fork();
  Started started{.error = guard < 0 ? errno : 0};
  if (guard == 0) {
    GuardInChild(program, line[1], streams, reach, patience);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::close(line[1]);
  if (guard > 0 && !Receive(line[0], started)) {
    started.error = ECHILD;  // the guard was killed
    ::kill(guard, SIGKILL);
  }
  if (started.error != 0) {
    ::close(line[0]);
    if (guard > 0) {
      WaitFor(guard);
    }
    throw std::system_error(started.error, std::generic_category(), command.front());
  }
  return {.program = started.program, .guard = guard, .line = line[0]};
}

ProcessEnd EndGuarded(const GuardedProgram& guarded) noexcept {
  ::kill(guarded.guard, SIGTERM);
  ProcessEnd end;
  if (!Receive(guarded.line, end)) {
    // The guard was killed: the kernel may do so if memory is short.
    ::kill(-guarded.program, SIGKILL);
    end = {.code = 0, .signal = SIGKILL};
  }
  WaitFor(guarded.guard);
  ::close(guarded.line);
  return end;
}

}  // namespace schedbench::platform
