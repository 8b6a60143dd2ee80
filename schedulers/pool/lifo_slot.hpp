#pragma once

#include "base/atomic.hpp"
#include "executors/task.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// The place for one task that is to run next, because its data are in this cache (hint Next). At most `limit` tasks run
// from it in a row while others wait in the local queue.
//
// Owner only, unless it is open to thieves: then any thread may call TrySteal(), and the owner pays a locked instruction to put
// a task and to take one.
class LifoSlot {
 public:
  using TaskBase = executors::TaskBase;

  // `limit` 0: there is no slot.
  explicit LifoSlot(std::uint32_t limit, bool open_to_thieves = false) noexcept
      : limit_(limit),
        open_to_thieves_(open_to_thieves) {
  }

  bool Exists() const noexcept {
    return limit_ > 0;
  }

  // Owner. Returns the task that was there, or null. Requires: the slot exists.
  SB_ALWAYS_INLINE TaskBase* Put(TaskBase* task) noexcept {
    if (open_to_thieves_) [[unlikely]] {
      // release (L): pairs with the acquire in TrySteal(). What was there was put by this thread.
      return task_.Exchange(task, memory_order_release);
    }
    // relaxed: no other thread reads it.
    TaskBase* const displaced = task_.Load(memory_order_relaxed);
    task_.Store(task, memory_order_relaxed);
    return displaced;
  }

  // Owner. Returns null when empty.
  SB_ALWAYS_INLINE TaskBase* Take() noexcept {
    // relaxed: put by this thread; if a thief is faster, the exchange shows it.
    TaskBase* const task = task_.Load(memory_order_relaxed);
    if (task == nullptr) {
      return nullptr;
    }
    if (open_to_thieves_) [[unlikely]] {
      return task_.Exchange(nullptr, memory_order_relaxed);  // relaxed: as above
    }
    // relaxed: no other thread reads it.
    task_.Store(nullptr, memory_order_relaxed);
    return task;
  }

  // Any thread. Null: empty, or not open to thieves.
  TaskBase* TrySteal() noexcept {
    if (IsEmptyForThieves()) {
      return nullptr;
    }
    // acquire: pairs with (L).
    return task_.Exchange(nullptr, memory_order_acquire);
  }

  // Any thread. A task whose Put() happens before the call is seen.
  bool IsEmptyForThieves() const noexcept {
    // relaxed: a thread that finds a task there exchanges it.
    return !open_to_thieves_ || task_.Load(memory_order_relaxed) == nullptr;
  }

  // Any thread. At some moment of the call.
  bool HoldsTask() const noexcept {
    // relaxed: a look.
    return task_.Load(memory_order_relaxed) != nullptr;
  }

  // Owner. Of a task that was just taken: whether it may run before those that wait. True counts.
  SB_ALWAYS_INLINE bool MayRun(bool others_wait) noexcept {
    if (streak_ >= limit_ && others_wait) {
      return false;
    }
    ++streak_;
    return true;
  }

  // Owner. A task from elsewhere runs next.
  SB_ALWAYS_INLINE void EndStreak() noexcept {
    streak_ = 0;
  }

 private:
  Atomic<TaskBase*> task_{nullptr};
  std::uint32_t streak_ = 0;
  const std::uint32_t limit_;
  const bool open_to_thieves_;
};

}  // namespace schedbench::schedulers
