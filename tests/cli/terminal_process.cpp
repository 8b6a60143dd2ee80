#include "tests/cli/terminal_process.hpp"

#include <pty.h>
#include <utmp.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::tests {

namespace {

constexpr int kLimitMs = 120'000;
constexpr int kLookMs = 50;

winsize SizeOfTerminal(unsigned short rows, unsigned short columns) {
  winsize size{};
  size.ws_row = rows;
  size.ws_col = columns;
  return size;
}

[[noreturn]] void Exec(std::vector<std::string> command,
                       const std::map<std::string, std::string>& environment) {
  for (const auto& [name, value] : environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> words;
  for (std::string& word : command) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  ::_exit(127);
}

}  // namespace

TerminalProcess::TerminalProcess(std::vector<std::string> command,
                                 std::map<std::string, std::string> environment) {
  environment.emplace("TERM", "xterm");
  environment.emplace("LC_ALL", "C.UTF-8");
  const winsize size = SizeOfTerminal(24, 80);
  if (::openpty(&ours_, &childs_, nullptr, nullptr, &size) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  ::fcntl(ours_, F_SETFD, FD_CLOEXEC);
  ::tcgetattr(childs_, &before_);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::unsetenv("NO_COLOR");
    ::login_tty(childs_);
    Exec(std::move(command), environment);
  }
}

TerminalProcess::~TerminalProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(ours_);
  ::close(childs_);
}

bool TerminalProcess::WaitFor(std::string_view text) {
  for (int waited = 0; waited < kLimitMs;) {
    const std::size_t at = text_.find(text, matched_);
    if (at != std::string::npos) {
      matched_ = at + text.size();
      return true;
    }
    if (!ReadSome()) {
      siginfo_t end{};
      ::waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT);
      if (end.si_pid == pid_) {
        return false;
      }
      waited += kLookMs;
    }
  }
  return false;
}

void TerminalProcess::Type(std::string_view keys) const {
  [[maybe_unused]] const ssize_t written = ::write(ours_, keys.data(), keys.size());
}

void TerminalProcess::Resize(unsigned short rows, unsigned short columns) const {
  const winsize size = SizeOfTerminal(rows, columns);
  ::ioctl(ours_, TIOCSWINSZ, &size);
}

void TerminalProcess::Signal(int number) const {
  ::kill(pid_, number);
}

int TerminalProcess::Finish() {
  int status = 0;
  for (int waited = 0; waited < kLimitMs;) {
    waited += ReadSome() ? 0 : kLookMs;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      while (ReadSome()) {
      }
      return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
    }
  }
  return -1;
}

bool TerminalProcess::ModeIsRestored() const {
  termios now{};
  ::tcgetattr(childs_, &now);
  return now.c_iflag == before_.c_iflag && now.c_oflag == before_.c_oflag &&
         now.c_lflag == before_.c_lflag && now.c_cflag == before_.c_cflag;
}

bool TerminalProcess::ReadSome() {
  pollfd input{.fd = ours_, .events = POLLIN, .revents = 0};
  if (::poll(&input, 1, kLookMs) <= 0) {
    return false;
  }
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(ours_, bytes.data(), bytes.size());
  if (count <= 0) {
    return false;
  }
  text_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace schedbench::tests
