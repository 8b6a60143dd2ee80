#include "platform/process/spawn.hpp"

#include "base/assert.hpp"

#include <spawn.h>

#include <csignal>
#include <system_error>

extern char** environ;

namespace schedbench::platform {

namespace {

// What is set up between fork and exec. Of its calls only those that allocate can fail.
class SpawnSetup {
 public:
  explicit SpawnSetup(const std::optional<std::array<int, 3>>& streams) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    for (int target = 0; streams && target < 3; ++target) {
      // dup2 takes close-on-exec away, from the copy alone.
      const int failed = ::posix_spawn_file_actions_adddup2(
          &actions_, (*streams)[static_cast<std::size_t>(target)], target);
      SB_ASSERT(failed == 0, "no memory to start a process");
    }
    // This program ignores some signals and handles others.
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }

  ~SpawnSetup() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }

  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  pid_t Spawn(std::vector<std::string>& command) const {
    std::vector<char*> words;
    for (std::string& word : command) {
      words.push_back(word.data());
    }
    words.push_back(nullptr);
    pid_t pid = -1;
    const int error =
        ::posix_spawnp(&pid, words.front(), &actions_, &attributes_, words.data(), environ);
    if (error != 0) {
      throw std::system_error(error, std::generic_category(), command.front());
    }
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

pid_t SpawnInOwnGroup(std::vector<std::string> command,
                      const std::optional<std::array<int, 3>>& streams) {
  SB_ASSERT(!command.empty(), "no program");
  return SpawnSetup(streams).Spawn(command);
}

}  // namespace schedbench::platform
