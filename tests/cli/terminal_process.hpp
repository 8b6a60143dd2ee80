#pragma once

#include <termios.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace schedbench::tests {

// A child process whose stdin, stdout and stderr are one pseudo-terminal of 24 rows and 80 columns,
// with TERM=xterm. A wait that takes two minutes fails.
class TerminalProcess {
 public:
  explicit TerminalProcess(std::vector<std::string> command,
                           std::map<std::string, std::string> environment = {});
  // Kills it when it still runs.
  ~TerminalProcess();

  TerminalProcess(const TerminalProcess&) = delete;
  TerminalProcess& operator=(const TerminalProcess&) = delete;

  // Reads until the text after the last match contains `text`; false when the process ended
  // without.
  bool WaitFor(std::string_view text);

  void Type(std::string_view keys) const;
  void Resize(unsigned short rows, unsigned short columns) const;
  void Signal(int number) const;

  // Reads to the end and waits. Returns the exit code, or 1000 + the signal that killed it.
  int Finish();

  // Whether the terminal has the mode that it had before the process.
  bool ModeIsRestored() const;

  const std::string& Text() const {
    return text_;
  }

 private:
  bool ReadSome();

  pid_t pid_ = -1;
  int ours_ = -1;
  int childs_ = -1;  // kept open, so that the mode can be read after the end
  termios before_{};
  std::string text_;
  std::size_t matched_ = 0;
};

}  // namespace schedbench::tests
