#pragma once

#include <cstdint>

namespace schedbench::fibers {

// Numbers and counts of fibers. A thread takes numbers in blocks, so spawns share no cache line.
class FiberIds {
 public:
  // Returns the number of a new fiber and counts it as started. Unique, from 1. Any thread.
  static std::uint64_t Next() noexcept;

  // Returns the number of started fibers. Exact while no fiber starts. Any thread.
  static std::uint64_t Started() noexcept;

  // Adds fibers that ended on stacks which are about to be released. Any thread.
  static void AddEnded(std::uint64_t count) noexcept;

  // Returns the number of fibers that ended on stacks which have been released. Any thread.
  static std::uint64_t EndedOnReleasedStacks() noexcept;
};

}  // namespace schedbench::fibers
