#pragma once

#include <cstdint>

namespace schedbench::executors {

// The preference of a task's submitter. It is never a command: a program must be correct whatever
// the scheduler does with it. The enumerators have the spelling of the Executors task and the
// scheduler lectures.
enum class SchedulerHint : std::uint8_t {
  UpToYou,  // FIFO: behind the work that the submitting worker already has
  Next,     // run it on this worker after the running task: its data are in this cache
  Yield,    // all other ready tasks run first, not only those of this worker
};

}  // namespace schedbench::executors
