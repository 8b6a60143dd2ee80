#pragma once

#include <cstdint>

namespace schedbench::executors {

// What the submitter of a task prefers. Never a command: a program must be correct whatever the
// scheduler makes of it.
// The enumerators have the spelling of documents 002 and 004.
enum class SchedulerHint : std::uint8_t {
  UpToYou,  // FIFO: behind what the submitting worker has to do already
  Next,     // run it on this worker as soon as the running task is over: its data are in this cache
  Yield,    // all other ready tasks run first, not only those of this worker
};

}  // namespace schedbench::executors
