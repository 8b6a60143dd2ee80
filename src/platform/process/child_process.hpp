#pragma once

#include "platform/process/guard.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// A program that this one has started and exchanges lines with, over its stdin and stdout. Its own
// process group keeps Ctrl-C on a terminal away from it; it ends when its stdin ends. A guard ends
// it with this program, however this one ends. One thread uses it.
class ChildProcess {
 public:
  // The stream that ReadLine() reads. ErrorText() keeps the end of the other one.
  enum class Lines { kOfStdout, kOfStderr };

  struct Options {
    Lines lines = Lines::kOfStdout;
    Reach reach = Reach::kGroup;  // the processes that are killed with it and at its own end
    // The time to end when this program has ended.
    std::chrono::nanoseconds patience = std::chrono::seconds(10);
  };

  // `command`: the program (without a slash it is searched in PATH) and its arguments; not empty.
  // Throws std::system_error, also if the program does not exist.
  explicit ChildProcess(const std::vector<std::string>& command, const Options& options);
  explicit ChildProcess(const std::vector<std::string>& command)
      : ChildProcess(command, Options()) {
  }

  // Kills it, unless Finish() was called.
  ~ChildProcess();

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes a line without a line break in it. Returns false if the child no longer reads. Never
  // blocks if the child answers each line before it reads the next. Requires: IgnoreWriteSignals()
  // (platform/files/file.hpp) was called.
  bool WriteLine(std::string_view line);

  enum class Read {
    kLine,
    kEnd,      // no more lines will come
    kTimeout,  // nothing came in time; a new call is allowed
    kTooLong,  // more than kLongestLine bytes without an end
  };

  static constexpr std::size_t kLongestLine = 16U << 20U;

  // Reads the next line of its stdout into `line`, without the line break; also reads stderr.
  Read ReadLine(std::string& line, std::chrono::nanoseconds limit);

  // Returns whether it has ended. It may close its streams before.
  bool HasEnded() const noexcept;

  // Ends its stdin, waits up to `patience` for its end, kills the rest. Returns its end. Once.
  ProcessEnd Finish(std::chrono::nanoseconds patience);

  // Returns the number of the process, which is also that of its group.
  pid_t Number() const {
    return guarded_.program;
  }

  // Returns the last kilobytes of its stderr so far.
  const std::string& ErrorText() const {
    return error_;
  }

 private:
  // Kills it if it runs, and returns its end.
  ProcessEnd End() noexcept;
  void CloseInput() noexcept;
  // Waits at most this long for bytes of either stream and takes them. Returns false without any.
  bool Take(std::chrono::nanoseconds limit);

  GuardedProgram guarded_;  // its line is -1 after the end
  int in_ = -1;
  int out_ = -1;
  int error_fd_ = -1;
  std::string lines_;  // read, not yet returned
  std::string error_;
};

}  // namespace schedbench::platform
