#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spawn.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::tests {

namespace {

constexpr int kPatienceMs = 120'000;

void Check(bool good, const char* what) {
  if (!good) {
    throw std::runtime_error(what);
  }
}

// Our end and the child's end of a stream.
struct Ends {
  int ours;
  int childs;
};

Ends OpenPipe() {
  std::array<int, 2> fds{};
  Check(::pipe2(fds.data(), O_CLOEXEC) == 0, "pipe2");
  return {.ours = fds[0], .childs = fds[1]};
}

Ends OpenTerminal(const ProcessOptions& options) {
  Ends ends{};
  const winsize size{
      .ws_row = options.rows, .ws_col = options.columns, .ws_xpixel = 0, .ws_ypixel = 0};
  Check(::openpty(&ends.ours, &ends.childs, nullptr, nullptr, &size) == 0, "openpty");
  ::fcntl(ends.ours, F_SETFD, FD_CLOEXEC);
  ::fcntl(ends.childs, F_SETFD, FD_CLOEXEC);
  return ends;
}

std::vector<std::string> Environment(const ProcessOptions& options) {
  std::map<std::string, std::string> variables = options.environment;
  for (const char* name : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name); value != nullptr) {
      variables.emplace(name, value);
    }
  }
  std::vector<std::string> lines;
  lines.reserve(variables.size());
  for (const auto& [name, value] : variables) {
    lines.push_back(fmt::format("{}={}", name, value));
  }
  return lines;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

pid_t Spawn(std::vector<std::string> command, const ProcessOptions& options, int out, int error) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
  if (!options.folder.empty()) {
    ::posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t signals;
  ::sigfillset(&signals);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  std::vector<std::string> environment = Environment(options);
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, command.front().c_str(), &actions, &attributes,
                                    Pointers(command).data(), Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  Check(failed == 0, "posix_spawnp");
  return pid;
}

// Appends what is there; closes the stream at its end.
void Drain(int& fd, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || errno == EIO) {  // EIO: the other end is closed of the terminal
    ::close(std::exchange(fd, -1));
  }
}

}  // namespace

Process::Process(std::vector<std::string> command, const ProcessOptions& options) {
  const Ends out = options.terminal == Terminal::kOut ? OpenTerminal(options) : OpenPipe();
  const Ends error = options.terminal == Terminal::kError ? OpenTerminal(options) : OpenPipe();
  pid_ = Spawn(std::move(command), options, out.childs, error.childs);
  ::close(out.childs);
  ::close(error.childs);
  out_fd_ = out.ours;
  error_fd_ = error.ours;
}

Process::~Process() {
  for (const int fd : {out_fd_, error_fd_}) {
    if (fd >= 0) {
      ::close(fd);
    }
  }
  if (pid_ > 0) {
    Signal(SIGKILL);
    Wait();
  }
}

bool Process::ReadSome(bool with_out) {
  std::array<pollfd, 2> streams{
      pollfd{.fd = error_fd_, .events = POLLIN, .revents = 0},
      pollfd{.fd = with_out ? out_fd_ : -1, .events = POLLIN, .revents = 0}};
  if (streams[0].fd < 0 && streams[1].fd < 0) {
    return false;
  }
  if (::poll(streams.data(), streams.size(), kPatienceMs) <= 0) {
    ADD_FAILURE() << "nothing came for two minutes; stderr so far: " << error_;
    Signal(SIGKILL);
    return false;
  }
  if (streams[0].revents != 0) {
    Drain(error_fd_, error_);
  }
  if (streams[1].revents != 0) {
    Drain(out_fd_, out_);
  }
  return true;
}

bool Process::WaitForError(std::string_view text) {
  while (error_.find(text) == std::string::npos) {
    if (error_fd_ < 0 || !ReadSome(false)) {
      return false;
    }
  }
  return true;
}

void Process::Signal(int number) const {
  ::kill(pid_, number);
}

int Process::Wait() {
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int Process::Finish() {
  while (ReadSome(true)) {
  }
  return Wait();
}

int Process::FinishWithoutReading() {
  while (ReadSome(false)) {
  }
  return Wait();
}

Finished Execute(std::vector<std::string> command, const ProcessOptions& options) {
  Process process(std::move(command), options);
  const int code = process.Finish();
  return {.code = code, .out = process.Out(), .error = process.Error()};
}

std::vector<std::string> WithDefaults(
    std::vector<std::string> words,
    const std::vector<std::pair<std::string, std::string>>& defaults) {
  for (const auto& [flag, value] : defaults) {
    if (std::find(words.begin(), words.end(), flag) == words.end()) {
      words.insert(words.end(), {flag, value});
    }
  }
  return words;
}

std::vector<std::string> SchedbenchCommand(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SCHEDBENCH_BINARY);
  return arguments;
}

Finished Schedbench(std::vector<std::string> arguments, const ProcessOptions& options) {
  return Execute(SchedbenchCommand(std::move(arguments)), options);
}

ScratchFolder::ScratchFolder()
    : path_((std::filesystem::temp_directory_path() / "schedbench-XXXXXX").string()) {
  Check(::mkdtemp(path_.data()) != nullptr, "mkdtemp");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void ScratchFolder::Write(const std::string& name, std::string_view text) const {
  std::ofstream(path_ + "/" + name, std::ios::binary) << text;
}

std::string ScratchFolder::Read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(path_ + "/" + name, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> ScratchFolder::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace schedbench::tests
