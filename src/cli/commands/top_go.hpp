#pragma once

#include "cli/exit_code.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace schedbench::cli {

// Runs a Go program and shows what its runtime reports about its scheduler, until the program ends, a key or a signal.
// `once`: prints one snapshot instead, and then ends the program. Throws config::InputError if it cannot be started, or
// where the terminal cannot be drawn on.
ExitCode TopOfGo(const std::vector<std::string>& command, std::chrono::nanoseconds interval,
                 bool once);

}  // namespace schedbench::cli
