#pragma once

#include "harness/plan.hpp"
#include "harness/recorder.hpp"
#include "harness/result.hpp"
#include "harness/watch_point.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace schedbench::harness {

enum class Ending {
  kComplete,
  kFailed,       // a wrong answer, a hang (Watchdog), or FailRun() (base/failure.hpp)
  kLimit,        // FailRun() because the machine refuses something
  kInterrupted,  // SIGINT or SIGTERM
};

struct Outcome {
  Ending ending;
  RunResult result;  // what is known: after any ending but kComplete, the rounds before it
  std::size_t unfinished_fibers = 0;  // after kComplete: that the workload left behind, waiting
};

// What a run does; returns "" or what was wrong. May throw SetupError, std::bad_alloc.
using RunBody = std::function<std::string(Recorder&, WatchPoint&)>;

// What the main thread does meanwhile.
struct Meanwhile {
  std::chrono::nanoseconds period{0};
  std::function<bool()> call{};  // in each period; false ends the run as an interruption does
};

// Does `body` on a thread of its own while the calling thread, which is the main thread, waits for its end or
// for a signal, so that an answer comes within milliseconds also from the middle of a round that takes hours.
// After any ending but kComplete threads may still be running: the caller reports and ends the process
// without unwinding (std::_Exit). Throws SetupError, and what else `body` throws.
Outcome RunInterruptibly(const RunPlan& plan, RunBody body, const Meanwhile& meanwhile = {});

}  // namespace schedbench::harness
