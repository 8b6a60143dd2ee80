#include "platform/process/spawn.hpp"

#include "base/assert.hpp"

#include <csignal>
#include <utility>

extern char** environ;

namespace schedbench::platform {

ReadyProgram::ReadyProgram(std::vector<std::string> command)
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

ReadyProgram::~ReadyProgram() {
  ::posix_spawnattr_destroy(&attributes_);
}

int ReadyProgram::Start(pid_t& pid) noexcept {
  return ::posix_spawnp(&pid, words_.front(), nullptr, &attributes_, words_.data(), environ);
}

}  // namespace schedbench::platform
