#pragma once

#include "base/cache_line.hpp"
#include "metrics/counted_lock.hpp"
#include "platform/threads/mutex.hpp"
#include "schedulers/queues/contracts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace schedbench::schedulers {

// The queue that all workers share: unbounded, intrusive, first in, first out. Any thread may call any
// method. Critical sections are a few instructions long: a batch is linked and looked through before the lock
// is taken, and appended in O(1); only Grab walks, over the tasks that it takes. A `Lock`
// (see metrics::CountedLock) holds a Mutex; both are parameters so that tests can check what is done under it.
template <typename Mutex, typename Lock>
class BasicGlobalQueue {
 public:
  void Push(TaskBase* task) noexcept {
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(1);
    tasks_.PushBack(task);
  }

  void PushExternal(TaskBase* task) noexcept {
    const ExternalBatch external(*task);
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(1);
    counts_.external.CountGuarded(external);
    tasks_.PushBack(task);
  }

  void Append(TaskList&& batch) noexcept {
    const std::size_t count = batch.Size();
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(count);
    tasks_.Append(std::move(batch));
  }

  void AppendExternal(TaskList&& batch) noexcept {
    const ExternalBatch external(batch);
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(external.tasks);
    counts_.external.CountGuarded(external);
    tasks_.Append(std::move(batch));
  }

  // Returns null when empty, without touching the lock.
  TaskBase* TryPop() noexcept {
    if (counts_.IsEmpty()) {
      return nullptr;
    }
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    TaskBase* const task = tasks_.TryPopFront();
    if (task != nullptr) {
      counts_.CountTakenGuarded(1);
    }
    return task;
  }

  // Moves one of `sharers` equal shares of the tasks, rounded up, at most out.size(), to `out` and returns how
  // many; 0 when empty. A share, so that workers that come at the same time find work too.
  std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept {
    if (counts_.IsEmpty()) {
      return 0;
    }
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    const std::size_t share = (tasks_.Size() + sharers - 1) / sharers;
    const std::size_t count = std::min(share, out.size());
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = tasks_.TryPopFront();
    }
    if (count > 0) {
      counts_.CountTakenGuarded(count);
    }
    return count;
  }

  TaskList GrabAll() noexcept {
    if (counts_.IsEmpty()) {
      return {};
    }
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountTakenGuarded(tasks_.Size());
    return std::move(tasks_);
  }

  // Read without the lock.
  const TaskCounts& Counts() const noexcept {
    return counts_;
  }

  // How often a thread found the lock taken. Read without it.
  std::uint64_t LockWaits() const noexcept {
    return lock_waits_.Get();
  }

 private:
  alignas(kCacheLine) Mutex mutex_;
  TaskList tasks_;     // guarded by mutex_
  TaskCounts counts_;  // written under mutex_
  metrics::Tally lock_waits_;
};

using GlobalQueue = BasicGlobalQueue<platform::Mutex, platform::MutexLock>;

static_assert(contracts::GlobalQueue<GlobalQueue>);

}  // namespace schedbench::schedulers
