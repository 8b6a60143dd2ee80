#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/intrusive_list.hpp"
#include "executors/task.hpp"
#include "platform/mutex.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace schedbench::schedulers {

using executors::TaskBase;
using TaskList = IntrusiveList<TaskBase>;

// The queue that all workers share: unbounded, intrusive, first in, first out. Any thread may call any
// method. Critical sections are a few instructions long: a batch is linked before the lock is taken and
// appended in O(1); only Grab walks, over the tasks that it takes.
class GlobalQueue {
 public:
  void Push(TaskBase* task) noexcept {
    const platform::MutexLock lock(mutex_);
    tasks_.PushBack(task);
    CountPushed(1);
  }

  // The same for a thread that is no worker; counts it (see PushedFromOutside).
  void PushFromOutside(TaskBase* task) noexcept {
    const platform::MutexLock lock(mutex_);
    // relaxed: read by PushedFromOutside(), which says what it needs. Before the push: who has the task, or
    // anything that follows from its run, sees it counted.
    from_outside_.Store(from_outside_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
    tasks_.PushBack(task);
    CountPushed(1);
  }

  void Append(TaskList&& batch) noexcept {
    const std::size_t count = batch.Size();
    const platform::MutexLock lock(mutex_);
    tasks_.Append(std::move(batch));
    CountPushed(count);
  }

  // Returns null when empty, without touching the lock.
  TaskBase* TryPop() noexcept {
    if (IsEmpty()) {
      return nullptr;
    }
    const platform::MutexLock lock(mutex_);
    TaskBase* const task = tasks_.TryPopFront();
    if (task != nullptr) {
      CountTaken(1);
    }
    return task;
  }

  // Moves one of `sharers` equal shares of the tasks, rounded up, at most out.size(), to `out` and returns how
  // many; 0 when empty. A share, so that those who come at the same time find work too.
  std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept {
    if (IsEmpty()) {
      return 0;
    }
    const platform::MutexLock lock(mutex_);
    const std::size_t share = (tasks_.Size() + sharers - 1) / sharers;
    const std::size_t count = std::min(share, out.size());
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = tasks_.TryPopFront();
    }
    if (count > 0) {
      CountTaken(count);
    }
    return count;
  }

  // Without the lock. A task whose push happens before this call is seen.
  bool IsEmpty() const noexcept {
    // acquire: pairs with the release in CountTaken(): the pushed_ that is read after it is no older than this
    // taken_, so that equal numbers mean that the queue was empty at some moment.
    const std::uint64_t taken = taken_.Load(memory_order_acquire);
    // relaxed: a number to compare with; who finds it greater takes the lock.
    return taken == pushed_.Load(memory_order_relaxed);
  }

  // How many tasks were ever pushed and taken. A task pushed now has all that were pushed before it taken when
  // Taken() has reached what Pushed() was.
  std::uint64_t Pushed() const noexcept {
    // relaxed: a position to compare with; nothing is read by way of it.
    return pushed_.Load(memory_order_relaxed);
  }

  std::uint64_t Taken() const noexcept {
    // relaxed: as in Pushed().
    return taken_.Load(memory_order_relaxed);
  }

  // Tasks pushed from outside so far. Counts at least those whose push, or run, happens before the call.
  std::uint64_t PushedFromOutside() const noexcept {
    // relaxed: the caller's happens-before is enough (see above).
    return from_outside_.Load(memory_order_relaxed);
  }

 private:
  // Requires for both: the lock is held.
  void CountPushed(std::uint64_t count) noexcept {
    // relaxed: only the holder of the lock writes, and readers follow nothing by it.
    pushed_.Store(pushed_.Load(memory_order_relaxed) + count, memory_order_relaxed);
  }

  void CountTaken(std::uint64_t count) noexcept {
    // relaxed: only the holder of the lock writes. release: pairs with the acquire in IsEmpty().
    taken_.Store(taken_.Load(memory_order_relaxed) + count, memory_order_release);
  }

  alignas(kCacheLine) platform::Mutex mutex_;
  TaskList tasks_;                         // guarded by mutex_
  Atomic<std::uint64_t> from_outside_{0};  // written under mutex_

  // Written under mutex_, read by all. On a line of their own: workers look here when their own queue is empty,
  // and must not disturb the lock.
  alignas(kCacheLine) Atomic<std::uint64_t> pushed_{0};
  Atomic<std::uint64_t> taken_{0};
};

}  // namespace schedbench::schedulers
