#pragma once

#include "executors/executor.hpp"

#include <cstddef>
#include <string>

namespace schedbench::fibers {

// The waits of all fibers and threads of the process, as text, for a moment without progress. A
// fiber that runs at the same time may be missing or shown in its former state.
struct WaitReport {
  std::size_t unfinished = 0;   // fibers
  std::size_t never_begun = 0;  // fibers among these that never ran
  std::size_t ready = 0;        // fibers among these that are ready, on `executor`
  std::size_t sleeping = 0;     // waiting with a pending deadline, in the whole process
  std::size_t threads = 0;      // waiting for a primitive of fibers, in the whole process
  std::size_t cycles = 0;       // cycles of fibers that wait for locks or ends of each other
  std::string lines;

  // Reports all fibers and blocked threads. Many equal waits are one line with some examples.
  // `executor`: the one whose ready fibers are counted.
  static WaitReport Now(const executors::IExecutor* executor);
};

}  // namespace schedbench::fibers
