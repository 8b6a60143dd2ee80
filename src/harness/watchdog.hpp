#pragma once

#include "harness/watch_point.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace schedbench::harness {

// Why a run does not continue.
struct Hang {
  std::string headline;  // one line: "DEADLOCK in round 2: ..."
  std::string details;   // lines: fibers and what they wait for, cycles, threads and their calls
};

// Finds out that a run hangs: that neither its phase nor any counter of any worker has moved for a while. Says which of
// four it is:
//   DEADLOCK      no task is left to run: all that is unfinished waits
//   LOST TASKS    tasks are left, or fibers are ready, and yet all workers are parked: the scheduler's mistake
//   LOST WAKE-UP  no task is left, and yet WaitIdle() does not return: likewise
//   STALL         a worker is busy with a task that does not end, or the thread of the run with what it does alone
// Used by one thread, which calls Check() every Period().
class Watchdog {
 public:
  // `timeout`: how long nothing may happen; 0: forever.
  Watchdog(const WatchPoint& watch, std::chrono::nanoseconds timeout);

  // How often to look: so that a hang is reported within the timeout and about a second, and the run is not disturbed.
  std::chrono::nanoseconds Period() const;

  // Looks once; a diagnosis when it is time for one.
  std::optional<Hang> Check();

 private:
  // Whether anything has happened since the last look.
  bool HasMoved(const WatchPoint::View& now) const;
  Hang Diagnose(const WatchPoint::View& now) const;

  const WatchPoint& watch_;
  const std::chrono::nanoseconds timeout_;
  std::uint64_t looked_ns_;
  WatchPoint::View last_;
  std::uint64_t last_gap_ns_ = 0;  // between the last two looks
  // Time without a move. Counted in looks, each at most two periods, and not by the clock: while the whole process is
  // stopped (Ctrl-Z, a debugger, a suspended machine) the clock continues.
  std::uint64_t quiet_ns_ = 0;
};

}  // namespace schedbench::harness
