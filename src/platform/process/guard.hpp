#pragma once

#include "platform/process/child_process.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace schedbench::platform {

// Runs a program that reads and writes the streams of this one, in a process group of its own, and waits for its end. When its stdin
// has no writer any more, it gets `patience` to end; then its group is killed. A signal to quit (SIGINT, SIGTERM, SIGHUP) kills
// the group at once. What its group has left behind at its end is killed, too. Uses no CPU time while it waits. Throws
// std::system_error if the program cannot be started. Main thread; blocks these signals and SIGCHLD for good.
ProcessEnd RunGuarded(const std::vector<std::string>& command, std::chrono::nanoseconds patience);

}  // namespace schedbench::platform
