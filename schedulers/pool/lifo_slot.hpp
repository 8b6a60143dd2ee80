#pragma once

#include "base/atomic.hpp"
#include "executors/task.hpp"
#include "platform/threads/asymmetric_fence.hpp"

#include <cstdint>

namespace schedbench::schedulers {

// A slot for one task that is to run next, because its data are in this cache (hint Next). At most
// `limit` tasks run from it in a row while others wait in the local queue.
// "Owner": only the owner calls the function. If the slot is open to thieves, any worker may call
// TrySteal(). The owner pays no locked instruction and no fence for that; a thief pays a heavy
// fence. README.md, "The slot", has the proof.
class LifoSlot {
 public:
  using TaskBase = executors::TaskBase;

  // With `limit` 0 there is no slot.
  explicit LifoSlot(std::uint32_t limit, bool open_to_thieves = false) noexcept
      : limit_(limit),
        open_to_thieves_(open_to_thieves) {
  }

  bool Exists() const noexcept {
    return limit_ > 0;
  }

  // Owner. Puts a task into the slot, which exists. Returns the task that was there, or null.
  SB_ALWAYS_INLINE TaskBase* Put(TaskBase* task) noexcept {
    TaskBase* const displaced = Take();
    // release (slot put): pairs with the acquire in TrySteal(): the task is complete.
    task_.Store(task, memory_order_release);
    return displaced;
  }

  // Owner. Takes the task. Returns null when the slot is empty.
  SB_ALWAYS_INLINE TaskBase* Take() noexcept {
    TaskBase* const task = task_.Load(memory_order_relaxed);
    if (task == nullptr) {
      return nullptr;
    }
    // relaxed: a thief that has read the task before must still win against Settle().
    task_.Store(nullptr, memory_order_relaxed);
    if (!open_to_thieves_) {
      return task;
    }
    platform::LightFence();  // (slot take): pairs with the heavy fence in TrySteal()
    // relaxed: after the fence; Settle() looks again.
    return thief_.Load(memory_order_relaxed) == kNoThief ? task : Settle(task);
  }

  // Owner. Takes `task`, if it is there. Returns whether it was.
  SB_ALWAYS_INLINE bool TryTakeBack(const TaskBase* task) noexcept {
    return task_.Load(memory_order_relaxed) == task && Take() != nullptr;
  }

  // Steals the task for worker number `thief`, which is not the owner. Null: the slot is empty or
  // not open to thieves, or another thief is faster.
  TaskBase* TrySteal(std::uint32_t thief) noexcept {
    if (IsEmptyForThieves()) {
      return nullptr;
    }
    std::uint32_t seen = kNoThief;
    // relaxed: the fence orders it.
    if (!thief_.CompareExchange(seen, Looks(thief), memory_order_relaxed, memory_order_relaxed)) {
      return nullptr;
    }
    // Pairs with (slot take): an owner that takes the task from now on sees us.
    platform::HeavyFence();
    // acquire: pairs with (slot put).
    TaskBase* const task = task_.Load(memory_order_acquire);
    seen = Looks(thief);
    const bool settled = thief_.CompareExchange(seen, task == nullptr ? kNoThief : HasTaken(thief),
                                                memory_order_relaxed, memory_order_relaxed);
    return settled ? task : nullptr;
  }

  // Any thread. True: a thief finds nothing. Sees a task whose Put() happens before the call.
  bool IsEmptyForThieves() const noexcept {
    return !open_to_thieves_ || !HoldsTask();
  }

  // Any thread. Returns whether the slot held a task recently. Sees a task whose Put() happens
  // before the call.
  bool HoldsTask() const noexcept {
    // relaxed: a caller that knows of a Put() knows that the owner has settled with the thief
    // before. For others it is a hint: TrySteal() acquires the task.
    return task_.Load(memory_order_relaxed) != nullptr &&
           !IsTaken(thief_.Load(memory_order_relaxed));
  }

  // The watcher calls this when tasks have waited long here while a worker was idle.
  void Bypass() noexcept {
    bypasses_.Store(kBypasses, memory_order_relaxed);
  }

  // Owner. Returns whether the next resumed fiber should go where others can take it. Counts down
  // when it returns true.
  SB_ALWAYS_INLINE bool MustBypass() noexcept {
    const std::uint32_t left = bypasses_.Load(memory_order_relaxed);
    if (left == 0) [[likely]] {
      return false;
    }
    bypasses_.Store(left - 1, memory_order_relaxed);
    return true;
  }

  // Owner. Returns whether a task that was just taken may run before others, and counts it if so.
  SB_ALWAYS_INLINE bool MayRun(bool others_wait) noexcept {
    if (streak_ >= limit_ && others_wait) {
      return false;
    }
    ++streak_;
    return true;
  }

  // Owner. Called when the next task comes from another queue.
  SB_ALWAYS_INLINE void EndStreak() noexcept {
    streak_ = 0;
  }

 private:
  // States of thief_: no thief, a thief that reads the task, a thief that has taken it. Until the
  // owner sees the last state, task_ has no meaning.
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

  // Owner. Settles with a thief that read the slot. Returns `task`, or null if the thief took it.
  SB_NOINLINE TaskBase* Settle(TaskBase* task) noexcept {
    std::uint32_t thief = thief_.Load(memory_order_relaxed);
    while (thief != kNoThief) {
      if (IsTaken(thief)) {
        thief_.Store(kNoThief, memory_order_relaxed);  // relaxed: no thief changes it now
        return nullptr;
      }
      if (thief_.CompareExchangeWeak(thief, kNoThief, memory_order_relaxed, memory_order_relaxed)) {
        return task;
      }
    }
    return task;
  }

  // Large enough that the checks which find the slot crowded again take little time. Arbitrary.
  static constexpr std::uint32_t kBypasses = 1000;

  Atomic<TaskBase*> task_{nullptr};  // written by the owner; relaxed: it reads its own value
  std::uint32_t streak_ = 0;
  const std::uint32_t limit_;
  // Thieves write it, and the owner to settle. relaxed: only the order of its changes counts.
  Atomic<std::uint32_t> thief_{kNoThief};
  const bool open_to_thieves_;
  // The watcher writes it, and the owner counts it down. relaxed: a hint.
  Atomic<std::uint32_t> bypasses_{0};
};

}  // namespace schedbench::schedulers
