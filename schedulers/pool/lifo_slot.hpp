#pragma once

#include "base/atomic.hpp"
#include "executors/task.hpp"
#include "platform/threads/asymmetric_fence.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// The place for one task that is to run next, because its data are in this cache (hint Next). At most `limit` tasks run
// from it in a row while others wait in the local queue.
//
// Owner only, unless it is open to thieves: then any worker may call TrySteal(). The owner pays no locked instruction and no fence
// for that; a thief pays a heavy fence. README.md, "The slot", has the proof.
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
    TaskBase* const displaced = Take();
    // release (L): pairs with the acquire in TrySteal(): the task is complete.
    task_.Store(task, memory_order_release);
    return displaced;
  }

  // Owner. Returns null when empty.
  SB_ALWAYS_INLINE TaskBase* Take() noexcept {
    // relaxed: put by this thread.
    TaskBase* const task = task_.Load(memory_order_relaxed);
    if (task == nullptr) {
      return nullptr;
    }
    // relaxed: a thief that has read the task before must still win against Settle().
    task_.Store(nullptr, memory_order_relaxed);
    if (!open_to_thieves_) {
      return task;
    }
    platform::LightFence();  // (S): pairs with the heavy fence in TrySteal()
    // relaxed: after the fence; Settle() looks again.
    return thief_.Load(memory_order_relaxed) == kNoThief ? task : Settle(task);
  }

  // Worker number `thief`, another one than the owner. Null: empty, another thief is faster, or not open to thieves.
  TaskBase* TrySteal(std::uint32_t thief) noexcept {
    if (IsEmptyForThieves()) {
      return nullptr;
    }
    std::uint32_t seen = kNoThief;
    // relaxed: the fence orders it.
    if (!thief_.CompareExchange(seen, Looks(thief), memory_order_relaxed, memory_order_relaxed)) {
      return nullptr;
    }
    platform::HeavyFence();  // pairs with (S): an owner that takes the task from now on sees us
    // acquire: pairs with (L).
    TaskBase* const task = task_.Load(memory_order_acquire);
    seen = Looks(thief);
    // relaxed: of the changes of the word only their order counts.
    const bool settled = thief_.CompareExchange(seen, task == nullptr ? kNoThief : HasTaken(thief),
                                                memory_order_relaxed, memory_order_relaxed);
    return settled ? task : nullptr;
  }

  // Any thread. A task whose Put() happens before the call is seen.
  bool IsEmptyForThieves() const noexcept {
    return !open_to_thieves_ || !HoldsTask();
  }

  // Any thread. At some moment of the call.
  bool HoldsTask() const noexcept {
    // acquire: pairs with (L): with the task, its owner has settled with the thief before.
    // relaxed: a look.
    return task_.Load(memory_order_acquire) != nullptr &&
           !IsTaken(thief_.Load(memory_order_relaxed));
  }

  // The watcher. Tasks have waited long here while a worker was idle.
  void Bypass() noexcept {
    // relaxed: a hint for the owner, like the accesses in MustBypass().
    bypasses_.Store(kBypasses, memory_order_relaxed);
  }

  // Owner. Whether the next fiber that is resumed should go where others can take it. True counts.
  SB_ALWAYS_INLINE bool MustBypass() noexcept {
    // relaxed: see Bypass().
    const std::uint32_t left = bypasses_.Load(memory_order_relaxed);
    if (left == 0) [[likely]] {
      return false;
    }
    bypasses_.Store(left - 1, memory_order_relaxed);  // relaxed: see Bypass()
    return true;
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
  // States of thief_: no thief, a thief that looks at the task, a thief that has taken it. The owner has not seen the last one yet,
  // and task_ means nothing meanwhile.
  static constexpr std::uint32_t kNoThief = 0;
  static constexpr std::uint32_t Looks(std::uint32_t thief) noexcept {
    return 2 * thief + 1;
  }
  static constexpr std::uint32_t HasTaken(std::uint32_t thief) noexcept {
    return 2 * thief + 2;
  }
  static constexpr bool IsTaken(std::uint32_t state) noexcept {
    return state != kNoThief && state % 2 == 0;
  }

  // Owner. A thief has looked at the slot. Returns `task`, which was there, if the thief has not taken it, else null.
  SB_NOINLINE TaskBase* Settle(TaskBase* task) noexcept {
    // relaxed: of the changes of the word only their order counts, here and below.
    std::uint32_t thief = thief_.Load(memory_order_relaxed);
    while (thief != kNoThief) {
      if (IsTaken(thief)) {
        thief_.Store(kNoThief, memory_order_relaxed);  // relaxed: no thief changes it now
        return nullptr;
      }
      // relaxed: as above.
      if (thief_.CompareExchangeWeak(thief, kNoThief, memory_order_relaxed, memory_order_relaxed)) {
        return task;
      }
    }
    return task;
  }

  // So many that the looks which find the slot crowded again take little of the time. Arbitrary.
  static constexpr std::uint32_t kBypasses = 1000;

  Atomic<TaskBase*> task_{nullptr};  // written by the owner
  std::uint32_t streak_ = 0;
  const std::uint32_t limit_;
  Atomic<std::uint32_t> thief_{
      kNoThief};  // written by thieves, and by the owner that settles with one
  const bool open_to_thieves_;
  Atomic<std::uint32_t> bypasses_{
      0};  // written by the watcher, and by the owner that counts them down
};

}  // namespace schedbench::schedulers
