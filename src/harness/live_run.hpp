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
  RunResult result;  // what is known; after any ending but kComplete: the earlier rounds
  std::size_t unfinished_fibers = 0;  // after kComplete: fibers that the workload left waiting
};

// The body of a run. Returns "" or what was wrong. May throw SetupError, std::bad_alloc.
using RunBody = std::function<std::string(Recorder&, WatchPoint&)>;

// The work of the main thread during a run.
struct Meanwhile {
  std::chrono::nanoseconds period{0};
  std::function<bool()> call{};  // called in each period; false interrupts the run
};

// Does `body` on a thread of its own while the calling thread, the main thread, waits for its end
// or a signal. So an answer comes within milliseconds even in a round of hours. After any ending
// but kComplete threads may still run: the caller reports and ends the process without unwinding
// (std::_Exit). Throws SetupError, and what `body` throws.
Outcome RunInterruptibly(const RunPlan& plan, RunBody body, const Meanwhile& meanwhile = {});

}  // namespace schedbench::harness
