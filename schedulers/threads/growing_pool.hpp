#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "executors/task_source.hpp"
#include "fibers/core/stack_pool.hpp"
#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/queues/external_counts.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::schedulers::threads {

using executors::SchedulerHint;
using executors::TaskBase;

// Threads started for tasks: the first three steps of the Go article. A submitted task goes to
//  1. the thread that became idle last, if there is one and threads serve more than one task;
//  2. otherwise a new thread, if there are fewer than max_threads;
//  3. otherwise the queue, from which a thread that becomes free takes it.
// Hints change nothing. (I1) mutex_ guards all but the slots' own fields. (I2) While the queue
// holds a task, max_threads threads are busy, and each checks the queue when its task is done: no
// thread is idle, and no thread ends without this check. (I3) A thread in idle_ waits on its wake
// word. The thread that takes it out, under mutex_, gives it a task or its end. When its time is
// over it takes itself out, and leaves the pool in the same step. (I4) busy_ counts the threads
// that have a task or are about to look for one.
class GrowingPool final : public registry::IScheduler {
 public:
  struct Options {
    std::string name;           // first part of the threads' names
    std::uint32_t max_threads;  // at least 1
    bool reuse;                 // a thread serves more than one task
    std::chrono::milliseconds keep_alive;
    bool row_per_thread;  // otherwise all threads share one row of metrics
    // ActiveWorkers() is max_threads; otherwise the pool is as large as necessary, and it is 1.
    bool counts_limit = false;
  };

  GrowingPool(Options options, const fibers::StackConfig& stacks, std::uint64_t seed);
  ~GrowingPool() override;

  GrowingPool(const GrowingPool&) = delete;
  GrowingPool& operator=(const GrowingPool&) = delete;

  void Submit(TaskBase* task, SchedulerHint hint) noexcept override;
  void WaitIdle() noexcept override;
  void Stop() noexcept override;
  std::vector<registry::WorkerReading> ReadWorkers() const override;
  metrics::MetricValues ReadPool() const override;
  registry::PoolState State() const override;
  std::uint64_t ExternalSubmissions() const noexcept override {
    return external_.Submissions();
  }
  std::uint64_t ExternalSpawns() const noexcept override {
    return external_.Spawns();
  }
  std::uint32_t ActiveWorkers() const override {
    return options_.counts_limit ? options_.max_threads : 1;
  }

 private:
  class Slot;

  // Starts the slot's thread, whose first task is in the slot. Ends the run if the machine refuses.
  void Start(Slot& slot) noexcept;
  // Runs the thread until it ends.
  void Serve(Slot& slot) noexcept;

  // Returns the next task of a thread that has done its task, or null: the thread is to end.
  TaskBase* NextTask(Slot& slot) noexcept;
  TaskBase* TryTakeQueued() noexcept;
  // Ends the thread. Returns its successor, which is to be started, if a task waits for that.
  Slot* RetireThread(Slot& slot) noexcept;

  // These functions require that mutex_ is held.
  Slot& TakeSlot(TaskBase* task) noexcept;
  void BecomeIdle() noexcept;
  bool IsIdle() const noexcept {
    return busy_ == 0 && queue_.IsEmpty();
  }

  const Options options_;
  const std::uint64_t seed_;
  fibers::StackPool::Owner stacks_;

  mutable platform::Mutex mutex_;
  platform::ConditionVariable became_idle_;
  // Written under mutex_, read without: a report on a stuck pool must not get stuck itself.
  ExternalCounts external_;
  // Size of queue_. relaxed: a read without the lock only saves the lock; its holder writes.
  Atomic<std::uint64_t> queued_{0};
  metrics::Tally lock_waits_;  // waits for mutex_
  // mutex_ guards these fields.
  IntrusiveList<TaskBase> queue_;
  std::vector<Slot*> idle_;   // newest last
  IntrusiveList<Slot> free_;  // slots of threads that have ended or are ending, in this order
  std::uint32_t threads_ = 0;
  std::uint32_t busy_ = 0;
  std::uint32_t idle_waiters_ = 0;
  bool ended_ = false;

  // A slot is made when all others are in use, under mutex_, and stays. Readers without the lock
  // read made_ first. There are at most two for each thread: one that ends starts its successor.
  // relaxed: made_ publishes them.
  const std::unique_ptr<Atomic<Slot*>[]> slots_;
  Atomic<std::uint32_t> made_{0};  // relaxed: under mutex_, or when no slot is made any more
};

}  // namespace schedbench::schedulers::threads
