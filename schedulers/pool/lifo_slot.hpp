#pragma once

#include "executors/task.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// The place for one task that is to run next, because its data are in this cache (hint Next). At most `limit` tasks run
// from it in a row while others wait in the local queue. Owner only.
class LifoSlot {
 public:
  // `limit` 0: there is no slot.
  explicit LifoSlot(std::uint32_t limit) noexcept
      : limit_(limit) {
  }

  bool Exists() const noexcept {
    return limit_ > 0;
  }

  // Returns the task that was there, or null. Requires: the slot exists.
  executors::TaskBase* Put(executors::TaskBase* task) noexcept {
    executors::TaskBase* const displaced = task_;
    task_ = task;
    return displaced;
  }

  // Returns null when empty.
  executors::TaskBase* Take() noexcept {
    executors::TaskBase* const task = task_;
    task_ = nullptr;
    return task;
  }

  // Of a task that was just taken: whether it may run before those that wait. True counts.
  bool MayRun(bool others_wait) noexcept {
    if (streak_ >= limit_ && others_wait) {
      return false;
    }
    ++streak_;
    return true;
  }

  // A task from elsewhere runs next.
  void EndStreak() noexcept {
    streak_ = 0;
  }

 private:
  executors::TaskBase* task_ = nullptr;
  std::uint32_t streak_ = 0;
  const std::uint32_t limit_;
};

}  // namespace schedbench::schedulers
