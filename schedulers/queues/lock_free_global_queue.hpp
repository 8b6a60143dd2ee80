#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "schedulers/queues/contracts.hpp"
#include "schedulers/queues/counted_pushes.hpp"
#include "schedulers/queues/task_stack.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::schedulers {

// A global queue whose producers never wait: a queue of two stacks. Producers push on one stack. A
// consumer that finds the other one empty takes the first as a whole and reverses it. Only one
// thread consumes at a time; a second consumer gets nothing, and may steal instead. (I1) oldest_
// holds the older tasks, oldest first, and incoming_ the newer ones, newest first. (I2) oldest_
// belongs to the holder of consuming_, and only the holder takes from incoming_. The queue is not
// lock-free as a whole: a consumer that stops in the middle keeps only other consumers away.
class LockFreeGlobalQueue final : public CountedPushes<LockFreeGlobalQueue> {
 public:
  TaskBase* TryPop() noexcept override {
    TaskBase* task = nullptr;
    return Grab({&task, 1}, 1) == 0 ? nullptr : task;
  }

  std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept override {
    if (counts_.IsEmpty() || !TryBeginConsuming()) {
      return 0;
    }
    std::size_t count = 0;
    const std::size_t share =
        std::min<std::size_t>((counts_.Size() + sharers - 1) / sharers, out.size());
    while (count < share) {
      TaskBase* const task = PopOldest();
      if (task == nullptr) {
        break;  // counted, and not pushed yet
      }
      out[count++] = task;
    }
    counts_.CountTakenGuarded(count);
    EndConsuming();
    return count;
  }

  TaskList GrabAll() noexcept override {
    if (counts_.IsEmpty() || !TryBeginConsuming()) {
      return {};
    }
    oldest_.Append(incoming_.TakeAll());
    TaskList all = std::move(oldest_);
    counts_.CountTakenGuarded(all.Size());
    EndConsuming();
    return all;
  }

 private:
  friend class CountedPushes<LockFreeGlobalQueue>;

  void Put(TaskBase* task) noexcept {
    incoming_.Push(task);
  }

  void Put(TaskList&& batch) noexcept {
    incoming_.Push(std::move(batch));
  }

  TaskBase* PopOldest() noexcept {
    if (oldest_.IsEmpty()) {
      oldest_.Append(incoming_.TakeAll());
    }
    return oldest_.TryPopFront();
  }

  bool TryBeginConsuming() noexcept {
    // acquire: pairs with the release in EndConsuming().
    return !consuming_.Exchange(true, memory_order_acquire);
  }

  void EndConsuming() noexcept {
    // release: pairs with the acquire in TryBeginConsuming().
    consuming_.Store(false, memory_order_release);
  }

  alignas(kCacheLine) TaskStack incoming_;
  alignas(kCacheLine) Atomic<bool> consuming_{false};
  TaskList oldest_;  // guarded by consuming_
};

}  // namespace schedbench::schedulers
