#pragma once

#include "cli/exit_code.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace schedbench::cli {

struct GoTopPlan {
  std::chrono::nanoseconds interval{};  // between two reports of the runtime
  bool once = false;                    // prints one snapshot, and then ends the program
  std::chrono::nanoseconds timeout{};   // of `once`, until the snapshot; 0: none
};

// Runs a Go program and shows what its runtime reports about its scheduler, until the program ends,
// a key or a signal. The program ends with this process, however that ends. Throws
// config::InputError if it cannot be started, or where the terminal cannot be drawn on.
ExitCode TopOfGo(const std::vector<std::string>& command, const GoTopPlan& plan);

}  // namespace schedbench::cli
