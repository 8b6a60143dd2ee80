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

// How a program ended, and what it printed.
struct ProgramEnd {
  bool good = false;               // exit code 0
  std::string text;                // "exit code 1"
  std::vector<std::string> lines;  // of stdout
  std::string error;               // the end of stderr
};

using IsCancelled = std::function<bool()>;

// Runs a program without input to its end. `cancelled`: asked many times a second; then the program is killed, and Cancelled is
// thrown. Throws std::system_error if there is no such program.
ProgramEnd RunProgram(const std::vector<std::string>& command, const IsCancelled& cancelled);

}  // namespace schedbench::history
