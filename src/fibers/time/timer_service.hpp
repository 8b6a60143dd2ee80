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

// Runs the timers of all queues of the process that no worker runs: its thread sleeps until such a
// timer is due. The process has one service, from first use (OfProcess); models make their own.
// README.md has the protocol. To ThreadSanitizer (tsan-strict-full) the service is a scheduler: it
// orders only a fiber's suspension before its resumption, and not the sleeps of different fibers.
// At process exit the thread ends; fibers that sleep then are never resumed. A scheduler that ends
// while its fibers sleep calls Abandon() for its stacks; other executors must outlive their
// sleepers.
class TimerService {
 public:
  // Returns the service of the process, with its thread. Any thread.
  static TimerService& OfProcess() noexcept;

  // Returns the number of fibers with a pending deadline; 0 without a service. For reports.
  static std::size_t PendingOfProcess() noexcept;

  // Stops resuming fibers on stacks of `pool`, whose executor is being destroyed.
  static void Abandon(const StackPool& pool) noexcept;

  // Starts the thread. Ends the run (FailRun) when the system refuses it.
  TimerService();
  // Ends the thread.
  ~TimerService();

  TimerService(const TimerService&) = delete;
  TimerService& operator=(const TimerService&) = delete;

  // Returns the queue for timers of the calling thread's fibers of `executor`. Any thread.
  TimerQueue& QueueFor(const executors::IExecutor& executor) noexcept {
    TimerQueue* const queue = TimerQueue::Current();
    return queue != nullptr && queue->Serves(executor) ? *queue : own_;
  }

  // Makes the thread run timers of `queue` from Add() to Remove(). Any thread.
  void Add(TimerQueue& queue) noexcept;
  void Remove(TimerQueue& queue) noexcept;

  // Wakes the thread if a change of `queue` or its worker makes its sleep too long. Any thread.
  void WakeFor(const TimerQueue& queue) noexcept;

  // Ends the thread, unless the thread itself calls it. No fiber is resumed afterwards. Idempotent.
  void Stop() noexcept;

 private:
  void Run() noexcept;
  // Resumes fibers whose timers no worker has run. Returns whether there were any. Requires:
  // mutex_, which it releases while it resumes.
  bool RunDue() noexcept;
  // Sleeps until the thread has to check the queues again. Requires: mutex_, released while asleep.
  void Sleep() noexcept;
  // Returns when the thread is needed next. Requires: mutex_.
  std::uint64_t NeededAt() const noexcept;
  void Forget(const StackPool& pool) noexcept;
  void Wake() noexcept;

  static constexpr std::uint64_t kAwake = 0;  // the thread scans the queues anyway

  platform::Mutex mutex_;
  std::vector<TimerQueue*> queues_;  // guarded by mutex_
  bool stopped_ = false;             // guarded by mutex_
  TimerQueue own_{*this};            // for fibers outside of their executor's workers
  // Time at which the thread scans without a wake-up. The thread writes it; wakers write kAwake.
  Atomic<std::uint64_t> next_scan_ns_{kAwake};
  Atomic<std::uint32_t> signals_{0};  // the futex word, which wakers change
  std::optional<platform::Thread> thread_;
};

}  // namespace schedbench::fibers
