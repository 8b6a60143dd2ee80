#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// The end of a process.
struct ProcessEnd {
  int code = 0;    // argument of exit(); 0 if a signal ended it
  int signal = 0;  // the signal that ended it; 0 without one

  // Returns text like "exit code 4" or "signal 9 (Killed)".
  std::string Text() const;
};

// The processes that a guard kills at its program's end. It kills only what the program started.
enum class Reach {
  kGroup,        // the process group of the program
  kDescendants,  // all processes of the program and its descendants, also in other sessions
};

// Runs a program on the streams of this one, in a process group of its own, and waits for its end.
// When its stdin has no writer any more, it gets `patience` to end and is then killed. A signal to
// quit (SIGINT, SIGTERM, SIGHUP) kills it at once. Its remaining processes are killed at its end.
// Uses no CPU time while it waits. Throws std::system_error if the program cannot be started. Main
// thread; blocks these signals and SIGCHLD for good.
ProcessEnd RunGuarded(const std::vector<std::string>& command, std::chrono::nanoseconds patience);

// A program and its guard process, a child of this one. A guard shares the memory of this process
// from its start, and copies changes.
struct GuardedProgram {
  pid_t program = -1;
  pid_t guard = -1;  // ends after the program
  // The guard writes a ProcessEnd to it at the end, and notices by it that this process has ended.
  int line = -1;
};

// Starts a program with these streams, and a guard for it. If this process ends first, the program
// gets `patience` to end. Throws std::system_error with the program's name. Any thread.
GuardedProgram StartGuarded(const std::vector<std::string>& command,
                            const std::array<int, 3>& streams, Reach reach,
                            std::chrono::nanoseconds patience);

// Kills the program, unless it has ended, and its processes, and waits for its guard. If the guard
// was killed, only the process group of the program is killed. Any thread; once.
ProcessEnd EndGuarded(const GuardedProgram& guarded) noexcept;

}  // namespace schedbench::platform
