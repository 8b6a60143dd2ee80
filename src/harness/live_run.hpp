#pragma once

#include "harness/plan.hpp"
#include "harness/result.hpp"
#include "harness/runner.hpp"

#include <cstddef>

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

// Runs a plan on a thread of its own while the calling thread, which is the main thread, waits for its end or
// for a signal, so that an answer comes within milliseconds also from the middle of a round that takes hours.
// After any ending but kComplete threads may still be running: the caller reports and ends the process
// without unwinding (std::_Exit). `progress` is called on the other thread. Throws SetupError.
Outcome RunInterruptibly(const RunPlan& plan, const Progress& progress);

}  // namespace schedbench::harness
