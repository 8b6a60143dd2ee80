#pragma once

#include <spawn.h>

#include <string>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// A program that is ready to be started. Start() allocates no memory: it may follow a fork() in a
// process with threads.
class ReadyProgram {
 public:
  // `command`: the program, looked for in PATH where it has no slash, and its arguments; not empty.
  explicit ReadyProgram(std::vector<std::string> command);
  ~ReadyProgram();

  ReadyProgram(const ReadyProgram&) = delete;
  ReadyProgram& operator=(const ReadyProgram&) = delete;

  // Starts it in a process group of its own, with the streams of this process, the default action
  // of all signals and none blocked. Returns the number of the error; 0: it runs as `pid`.
  int Start(pid_t& pid) noexcept;

 private:
  std::vector<std::string> command_;
  std::vector<char*> words_;
  posix_spawnattr_t attributes_{};
};

}  // namespace schedbench::platform
