#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "platform/threads/mutex.hpp"
#include "schedulers/queues/contracts.hpp"

#include <algorithm>
#include <limits>

namespace schedbench::schedulers {

// A local queue without limit: a list behind a lock, which the owner takes at each push and pop,
// and thieves too. It is the `MutexQueue` of the toucan report, which has a std::mutex and an
// allocating std::queue. Any thread may call any function. (I1) tasks_ is guarded by mutex_. (I2)
// size_ is written under mutex_, and read without it to save the lock.
class MutexQueue {
 public:
  explicit MutexQueue(std::size_t /*capacity*/, Sharing /*sharing*/ = Sharing::kStealable) {
  }

  bool TryPush(TaskBase* task) noexcept {
    const platform::MutexLock lock(mutex_);
    tasks_.PushBack(task);
    PublishSize();
    return true;
  }

  std::size_t PushMany(std::span<TaskBase* const> tasks) noexcept {
    TaskList batch;
    for (TaskBase* const task : tasks) {
      batch.PushBack(task);
    }
    Append(std::move(batch));
    return tasks.size();
  }

  void Append(TaskList&& batch) noexcept {
    const platform::MutexLock lock(mutex_);
    tasks_.Append(std::move(batch));
    PublishSize();
  }

  TaskBase* TryPop() noexcept {
    if (IsEmpty()) {
      return nullptr;
    }
    const platform::MutexLock lock(mutex_);
    TaskBase* const task = tasks_.TryPopFront();
    PublishSize();
    return task;
  }

  std::size_t Grab(std::span<TaskBase*> out) noexcept {
    if (IsEmpty()) {
      return 0;
    }
    const platform::MutexLock lock(mutex_);
    const std::size_t count = std::min((tasks_.Size() + 1) / 2, out.size());
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = tasks_.TryPopFront();
    }
    PublishSize();
    return count;
  }

  // Takes half of the tasks, rounded up, without a limit.
  TaskList GrabHalf() noexcept {
    TaskList half;
    if (IsEmpty()) {
      return half;
    }
    const platform::MutexLock lock(mutex_);
    for (std::size_t left = (tasks_.Size() + 1) / 2; left > 0; --left) {
      half.PushBack(tasks_.TryPopFront());
    }
    PublishSize();
    return half;
  }

  bool IsEmpty() const noexcept {
    // A push that happens before the call has moved it; only a pop after that makes it 0.
    return size_.Load(memory_order_relaxed) == 0;
  }

  std::size_t Size() const noexcept {
    return size_.Load(memory_order_relaxed);
  }

  std::size_t Capacity() const noexcept {
    return std::numeric_limits<std::size_t>::max();
  }

 private:
  // Requires: the lock is held.
  void PublishSize() noexcept {
    size_.Store(tasks_.Size(), memory_order_relaxed);
  }

  alignas(kCacheLine) platform::Mutex mutex_;
  TaskList tasks_;               // guarded by mutex_
  Atomic<std::size_t> size_{0};  // relaxed: written under the lock; readers follow no pointer by it
};

static_assert(contracts::LocalQueue<MutexQueue>);

}  // namespace schedbench::schedulers
