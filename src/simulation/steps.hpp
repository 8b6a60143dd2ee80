#pragma once

#include <cstdint>

// This is compiled twice: for the real machine and for the simulated one.
namespace schedbench::scaling {

// Steps of fibers whose plain work is a constant of the simulation. No predicted workload is among
// them.
enum class Step : std::uint8_t {
  kTask,    // a task of a pool with one worker submits itself again
  kCreate,  // a fiber is allocated, and not submitted yet
  kFiber,   // a fiber of such a pool starts the next one and ends
  kResume,  // a fiber of such a pool yields; another one runs
  kSync,    // a fiber sends to a channel with room, or receives a value that is there
  kFork,    // a fiber of such a pool forks a call, and makes it at the join: a balanced tree
};

// Returns the nanoseconds per step of at least `count`. `fibers`: the number that yield in turn.
double MeasureStep(Step step, std::uint64_t count, std::uint64_t fibers = 8);

}  // namespace schedbench::scaling
