#pragma once

#include <cstdint>

namespace schedbench::fibers {

// Numbers of fibers, and how many have started and ended. Each thread takes numbers in blocks, so that spawning shares no
// cache line.
class FiberIds {
 public:
  // A number for a new fiber, which counts as started. Unique in the process, from 1. Any thread.
  static std::uint64_t Next() noexcept;

  // How many fibers have started in the process. Exact while no fiber starts. Any thread.
  static std::uint64_t Started() noexcept;

  // Adds fibers that ended on stacks which are about to be released. Any thread.
  static void AddEnded(std::uint64_t count) noexcept;

  // How many fibers ended on stacks that have been released. Any thread.
  static std::uint64_t EndedOnReleasedStacks() noexcept;
};

}  // namespace schedbench::fibers
