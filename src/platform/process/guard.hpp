#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// How a process has ended.
struct ProcessEnd {
  int code = 0;    // of exit(); 0 where a signal ended it
  int signal = 0;  // that ended it; 0 for none

  // "exit code 4", "signal 9 (Killed)".
  std::string Text() const;
};

// Which processes a guard kills when its program has ended. It never kills a process that its
// program did not start.
enum class Reach {
  kGroup,        // those in the process group of the program
  kDescendants,  // all that the program and its descendants started, also in other sessions
};

// Runs a program that reads and writes the streams of this one, in a process group of its own, and
// waits for its end. When its stdin has no writer any more, it gets `patience` to end; then it is
// killed. A signal to quit (SIGINT, SIGTERM, SIGHUP) kills it at once. What it has started and left
// behind at its end is killed, too. Uses no CPU time while it waits. Throws std::system_error if
// the program cannot be started. Main thread; blocks these signals and SIGCHLD for good.
ProcessEnd RunGuarded(const std::vector<std::string>& command, std::chrono::nanoseconds patience);

// A program and the process that guards it, a child of this one. A guard shares the memory of this
// process as it was at the start, and copies what changes.
struct GuardedProgram {
  pid_t program = -1;
  pid_t guard = -1;  // it ends after the program
  // The guard writes a ProcessEnd to it at the end, and notices by it that this process has ended.
  int line = -1;
};

// Starts a program with these streams and a guard for it. If this process ends first, the program
// gets `patience` to end. Throws std::system_error that names the program. Any thread.
GuardedProgram StartGuarded(const std::vector<std::string>& command,
                            const std::array<int, 3>& streams, Reach reach,
                            std::chrono::nanoseconds patience);

// Kills the program at once, unless it has ended, and what it started; waits for its guard. If
// something killed the guard, only the process group of the program is killed. Any thread; once.
ProcessEnd EndGuarded(const GuardedProgram& guarded) noexcept;

}  // namespace schedbench::platform
