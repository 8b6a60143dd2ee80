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

// Detects that a run hangs: neither its phase nor any counter of any worker has moved for a while.
// It distinguishes four kinds of hangs:
//   DEADLOCK      no task is left to run: all unfinished work waits
//   LOST TASKS    tasks are left, or fibers are ready, but all workers are parked: a scheduler bug
//   LOST WAKE-UP  no task is left, but WaitIdle() does not return: a scheduler bug
//   STALL         a worker runs a task that does not end, or the thread of the run works alone
// One thread uses it, which calls Check() every Period().
class Watchdog {
 public:
  // `timeout`: a run without any progress for this long hangs; 0: never.
  Watchdog(const WatchPoint& watch, std::chrono::nanoseconds timeout);

  // Returns the period: hangs are reported within a second of the timeout; checks are rare.
  std::chrono::nanoseconds Period() const;

  // Checks once. Returns a diagnosis when the timeout is over.
  std::optional<Hang> Check();

 private:
  // Returns whether anything has happened since the last check.
  bool HasMoved(const WatchPoint::View& now) const;
  Hang Diagnose(const WatchPoint::View& now) const;

  const WatchPoint& watch_;
  const std::chrono::nanoseconds timeout_;
  std::uint64_t looked_ns_;
  WatchPoint::View last_;
  std::uint64_t last_gap_ns_ = 0;  // time between the last two checks
  // Time without a move. It is counted in checks, each at most two periods, and not by the clock,
  // which continues while the whole process is stopped (Ctrl-Z, a debugger, a suspended machine).
  std::uint64_t quiet_ns_ = 0;
};

}  // namespace schedbench::harness
