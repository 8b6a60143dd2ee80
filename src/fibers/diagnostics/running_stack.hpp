#pragma once

#include "executors/task_source.hpp"

#include <cstdint>

namespace schedbench::fibers {

// The stack and fiber that a thread runs at one moment, for a sampler that has interrupted it.
struct RunningStack {
  std::uintptr_t lowest = 0;  // start of the current stack
  std::uintptr_t top = 0;     // one past it; 0: not a fiber's stack
  std::uint64_t fiber = 0;    // its id; 0: the thread does not run any
  // The fiber's name; all pointers are valid as long as the thread is interrupted.
  const char* name = "";
  const char* file = "";  // where the fiber was started
  std::uint32_t line = 0;
  executors::WorkerActivity activity = executors::WorkerActivity::kRun;  // outside of fibers

  // Reads the calling thread, whose stack pointer was `stack_pointer` before the interruption.
  // Async-signal-safe. It takes some loads; but in the middle of a switch, and on a thread's own
  // stack, it walks all slabs of stacks: microseconds for thousands (StackRegistry).
  static RunningStack OfThisThread(std::uintptr_t stack_pointer) noexcept;
};

}  // namespace schedbench::fibers
