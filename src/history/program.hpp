#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::history {

// The user has interrupted the command.
class Cancelled : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The end of a program, and its output.
struct ProgramEnd {
  bool good = false;               // exit code 0
  std::string text;                // "exit code 1"
  std::vector<std::string> lines;  // lines of stdout
  std::string error;               // the end of stderr
};

using IsCancelled = std::function<bool()>;

// Runs a program without input to its end. `cancelled`: asked many times a second; if it returns
// true, the program is killed, and Cancelled is thrown. Throws std::system_error if it is missing.
ProgramEnd RunProgram(const std::vector<std::string>& command, const IsCancelled& cancelled);

}  // namespace schedbench::history
