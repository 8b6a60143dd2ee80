#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// How a process has ended.
struct ProcessEnd {
  int code = 0;    // of exit(); 0 where a signal ended it
  int signal = 0;  // that ended it; 0 for none

  // "exit code 4", "signal 9 (Killed)".
  std::string Text() const;

  // Whether it was a signal that an InterruptibleEvent takes: SIGINT, SIGTERM or SIGHUP.
  bool BySignalToQuit() const;
};

// A program that this one has started and speaks with in lines, over its stdin and stdout. It has a process group of its
// own, so that Ctrl-C on a terminal reaches this program and not that one, which ends when its stdin does. Used by one
// thread.
class ChildProcess {
 public:
  // The stream whose lines ReadLine() returns; of the other one ErrorText() keeps the end.
  enum class Lines { kOfStdout, kOfStderr };

  // `command`: the program, looked for in PATH where it has no slash, and its arguments; not empty. Throws
  // std::system_error, also when there is no such program.
  explicit ChildProcess(const std::vector<std::string>& command, Lines lines = Lines::kOfStdout);

  // Kills its whole group if it has not been waited for.
  ~ChildProcess();

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes a line, which has no line break in it. Returns false when the child no longer reads. Never blocks if the child
  // answers each line before it reads the next. Requires: IgnoreWriteSignals() (platform/files/file.hpp) was called.
  bool WriteLine(std::string_view line);

  enum class Read {
    kLine,
    kEnd,      // no more will come
    kTimeout,  // nothing came in time; may be asked again
    kTooLong,  // more than kLongestLine bytes without an end
  };

  static constexpr std::size_t kLongestLine = 16U << 20U;

  // Reads the next line of its stdout into `line`, without the line break. Reads its stderr meanwhile.
  Read ReadLine(std::string& line, std::chrono::nanoseconds limit);

  // Whether it has ended. It may close its streams before.
  bool HasEnded() const noexcept;

  // Ends its stdin, waits for its end up to `patience`, then kills what is left of its group. Returns how it ended. Once.
  ProcessEnd Finish(std::chrono::nanoseconds patience);

  // Of the process; that of its group, too.
  pid_t Number() const {
    return pid_;
  }

  // The last kilobytes of its stderr so far.
  const std::string& ErrorText() const {
    return error_;
  }

 private:
  void Kill() noexcept;
  void CloseInput() noexcept;
  // Waits for bytes of either stream, at most so long, and takes what there is. False: nothing came, or both have ended.
  bool Take(std::chrono::nanoseconds limit);

  pid_t pid_ = -1;  // -1: waited for
  int in_ = -1;
  int out_ = -1;
  int error_fd_ = -1;
  std::string lines_;  // read, not yet asked for
  std::string error_;
};

}  // namespace schedbench::platform
