#pragma once

#include "platform/process/guard.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// A program that this one has started and speaks with in lines, over its stdin and stdout. It has a
// process group of its own, so that Ctrl-C on a terminal reaches this program and not that one,
// which ends when its stdin does. A guard ends it with this program, in whatever way this one ends.
// Used by one thread.
class ChildProcess {
 public:
  // The stream whose lines ReadLine() returns; of the other one ErrorText() keeps the end.
  enum class Lines { kOfStdout, kOfStderr };

  struct Options {
    Lines lines = Lines::kOfStdout;
    Reach reach = Reach::kGroup;  // what is killed with it, and is killed at its own end
    std::chrono::nanoseconds patience =
        std::chrono::seconds(10);  // to end when this program has ended
  };

  // `command`: the program, looked for in PATH where it has no slash, and its arguments; not empty. Throws
  // std::system_error, also when there is no such program.
  explicit ChildProcess(const std::vector<std::string>& command, const Options& options);
  explicit ChildProcess(const std::vector<std::string>& command)
      : ChildProcess(command, Options()) {
  }

  // Kills it if Finish() was not called.
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

  // Ends its stdin, waits for its end up to `patience`, then kills what is left. Returns how it
  // ended. Once.
  ProcessEnd Finish(std::chrono::nanoseconds patience);

  // Of the process; that of its group, too.
  pid_t Number() const {
    return guarded_.program;
  }

  // The last kilobytes of its stderr so far.
  const std::string& ErrorText() const {
    return error_;
  }

 private:
  // Kills it if it runs, and returns how it ended.
  ProcessEnd End() noexcept;
  void CloseInput() noexcept;
  // Waits for bytes of either stream, at most so long, and takes what there is. False: nothing came, or both have ended.
  bool Take(std::chrono::nanoseconds limit);

  GuardedProgram guarded_;  // its line is -1 after the end
  int in_ = -1;
  int out_ = -1;
  int error_fd_ = -1;
  std::string lines_;  // read, not yet asked for
  std::string error_;
};

}  // namespace schedbench::platform
