#pragma once

#include "executors/task_source.hpp"

#include <cstdint>

namespace schedbench::fibers {

// What a thread runs at one moment, for a sampler that has interrupted it.
struct RunningStack {
  std::uintptr_t lowest = 0;  // of the stack that it is on
  std::uintptr_t top = 0;     // one past it; 0: it is on none of ours
  std::uint64_t fiber = 0;    // its id; 0: the thread runs none
  const char* name =
      "";  // the fiber's; all pointers are valid as long as the thread is interrupted
  const char* file = "";  // where it was started
  std::uint32_t line = 0;
  executors::WorkerActivity activity = executors::WorkerActivity::kRun;  // where it runs no fiber

  // Of the calling thread, whose stack pointer was `stack_pointer` before the interruption. Async-signal-safe. Some loads; only
  // in the middle of a switch, and on a stack of the thread's own, it walks all slabs of stacks: microseconds for thousands
  // (StackRegistry).
  static RunningStack OfThisThread(std::uintptr_t stack_pointer) noexcept;
};

}  // namespace schedbench::fibers
