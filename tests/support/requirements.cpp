#include "tests/support/requirements.hpp"

#include <pty.h>
#include <spawn.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char**
    environ;  // NOLINT(readability-redundant-declaration): not declared by every C library

namespace schedbench::tests {

namespace {

std::string TryPseudoTerminal() {
  int ours = -1;
  int childs = -1;
  if (::openpty(&ours, &childs, nullptr, nullptr, nullptr) != 0) {
    return std::string("no pseudo-terminal: openpty: ") + std::strerror(errno);
  }
  ::close(ours);
  ::close(childs);
  return "";
}

// As the tests do it, because what is forbidden depends on the calls: strace -f of a program that
// does nothing.
std::string TryTrace() {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  std::string words[] = {"strace", "-f", "-qq", "-o", "/dev/null", "true"};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                       words[4].data(), words[5].data(), nullptr};
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    return std::string("no strace: ") + std::strerror(failed);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0
             ? ""
             : "no ptrace: strace cannot trace a child on this machine";
}

}  // namespace

const std::string& WhyNoPseudoTerminal() {
  static const std::string why = TryPseudoTerminal();
  return why;
}

const std::string& WhyNoTrace() {
  static const std::string why = TryTrace();
  return why;
}

}  // namespace schedbench::tests
