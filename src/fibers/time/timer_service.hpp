#pragma once

#include "base/atomic.hpp"
#include "executors/executor.hpp"
#include "fibers/time/timer_queue.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace schedbench::fibers {

class StackPool;

// Looks after all timer queues of the process: a thread that sleeps until a timer is due that no worker will run. One
// for the process, from first use (OfProcess); models make their own. README.md has the protocol.
//
// To ThreadSanitizer (tsan-strict-full) the service is a scheduler: it orders a fiber's suspension before its
// resumption, and nothing else. That one fiber sleeps longer than another is no order.
//
// When the process exits the thread ends; fibers that sleep then are never resumed. A scheduler that goes while fibers
// of it sleep takes its stacks out (Abandon); other executors must live as long as their sleepers.
class TimerService {
 public:
  // The service of the process, with its thread. Any thread.
  static TimerService& OfProcess() noexcept;

  // How many fibers have a deadline to come; 0 where there is no service. For reports.
  static std::size_t PendingOfProcess() noexcept;

  // No fiber on a stack of `pool` is resumed from now on: its executor is being destroyed.
  static void Abandon(const StackPool& pool) noexcept;

  // Starts the thread. Ends the run (FailRun) when the system refuses one.
  TimerService();
  // Stops.
  ~TimerService();

  TimerService(const TimerService&) = delete;
  TimerService& operator=(const TimerService&) = delete;

  // The queue for timers of the calling thread's fibers of `executor`. Any thread.
  TimerQueue& QueueFor(const executors::IExecutor& executor) noexcept {
    TimerQueue* const queue = TimerQueue::Current();
    return queue != nullptr && queue->Serves(executor) ? *queue : own_;
  }

  // The thread looks after `queue` from Add() to Remove(). Any thread.
  void Add(TimerQueue& queue) noexcept;
  void Remove(TimerQueue& queue) noexcept;

  // Wakes the thread if it sleeps for too long for `queue`, whose earliest timer or whose worker's state has changed.
  // Any thread.
  void WakeFor(const TimerQueue& queue) noexcept;

  // Ends the thread, unless the thread itself calls. No fiber is resumed afterwards. Idempotent.
  void Stop() noexcept;

 private:
  void Run() noexcept;
  // Resumes fibers whose timers no worker has run. Returns whether there were any. Requires: mutex_, released
  // meanwhile.
  bool RunDue() noexcept;
  // Returns when the thread looks at the queues again, at once or later. Requires: mutex_, released meanwhile.
  void Sleep() noexcept;
  // When the thread is needed first. Requires: mutex_.
  std::uint64_t NeededAt() const noexcept;
  void Forget(const StackPool& pool) noexcept;
  void Wake() noexcept;

  static constexpr std::uint64_t kAwake = 0;  // the thread scans the queues anyway

  platform::Mutex mutex_;
  std::vector<TimerQueue*> queues_;  // guarded by mutex_
  bool stopped_ = false;             // guarded by mutex_
  TimerQueue own_{*this};            // for fibers that are on no worker of their executor
  // When the thread scans the queues without a wake-up. Written by the thread; kAwake: by the one that wakes it, too.
  Atomic<std::uint64_t> next_scan_ns_{kAwake};
  Atomic<std::uint32_t> signals_{0};  // the futex word, changed by those that wake the thread
  std::optional<platform::Thread> thread_;
};

}  // namespace schedbench::fibers
