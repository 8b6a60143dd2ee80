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

// A global queue under a lock: intrusive, first in, first out. Critical sections are a few
// instructions long: a batch is linked and counted before the lock is taken, and appended in O(1).
// Only Grab() walks, over the tasks that it takes. A `Lock` (see metrics::CountedLock) holds a
// Mutex; both are parameters so that tests can check what is done under the lock.
template <typename Mutex, typename Lock>
class BasicGlobalQueue final : public IGlobalQueue {
 public:
  void Push(TaskBase* task) noexcept override {
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(1);
    tasks_.PushBack(task);
  }

  void PushExternal(TaskBase* task) noexcept override {
    const ExternalBatch external(*task);
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(1);
    counts_.external.CountGuarded(external);
    tasks_.PushBack(task);
  }

  void Append(TaskList&& batch) noexcept override {
    const std::size_t count = batch.Size();
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(count);
    tasks_.Append(std::move(batch));
  }

  void AppendExternal(TaskList&& batch) noexcept override {
    const ExternalBatch external(batch);
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountPushedGuarded(external.tasks);
    counts_.external.CountGuarded(external);
    tasks_.Append(std::move(batch));
  }

  // Does not touch the lock if the queue is empty.
  TaskBase* TryPop() noexcept override {
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

  std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept override {
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

  TaskList GrabAll() noexcept override {
    if (counts_.IsEmpty()) {
      return {};
    }
    const metrics::CountedLock<Lock> lock(mutex_, lock_waits_);
    counts_.CountTakenGuarded(tasks_.Size());
    return std::move(tasks_);
  }

  std::uint64_t LockWaits() const noexcept override {
    return lock_waits_.Get();
  }

 private:
  alignas(kCacheLine) Mutex mutex_;
  TaskList tasks_;  // guarded by mutex_, under which counts_ are written too
  metrics::Tally lock_waits_;
};

using GlobalQueue = BasicGlobalQueue<platform::Mutex, platform::MutexLock>;

}  // namespace schedbench::schedulers
