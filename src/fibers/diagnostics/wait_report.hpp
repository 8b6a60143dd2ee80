#pragma once

#include "executors/executor.hpp"

#include <cstddef>
#include <string>

namespace schedbench::fibers {

// Which fibers and threads of the process wait for what, as text. Meant for a moment in which nothing makes progress; a fiber
// that runs meanwhile may be missing or shown in its former state.
struct WaitReport {
  std::size_t unfinished = 0;   // fibers
  std::size_t never_begun = 0;  // of them: started, and never run
  std::size_t ready = 0;        // of them: begun, wait for nothing, and belong to `executor`
  std::size_t sleeping = 0;     // wait with a deadline that is to come, in the whole process
  std::size_t threads = 0;      // that wait for one of our primitives, in the whole process
  std::size_t cycles = 0;       // of fibers that wait for each other's locks, or ends
  std::string lines;

  // Looks at all fibers and blocked threads. Where many wait for the same, they are one line with some examples.
  // `executor`: the one whose ready fibers are to be counted.
  static WaitReport Now(const executors::IExecutor* executor);
};

}  // namespace schedbench::fibers
