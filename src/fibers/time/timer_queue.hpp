#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/cell.hpp"
#include "executors/executor.hpp"
#include "fibers/time/timer_heap.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace schedbench::fibers {

class Sleeper;
class StackPool;
class TimerService;

// The state that the timer queues of one scheduler share.
struct TimerGroup {
  explicit TimerGroup(const executors::IExecutor& executor) noexcept
      : executor(executor) {
  }

  // Returns whether a queue ever had a timer: a hint that spares reading the clock. Any thread.
  bool IsUsed() const noexcept {
    return is_used.Load(memory_order_relaxed);
  }

  // Only fibers of this executor have timers in the queues.
  const executors::IExecutor& executor;
  Atomic<bool> is_used{false};  // relaxed: a hint
};

// Timers with a lock: those of the fibers that slept last on one worker, or all others of the
// process. The worker runs its own timers when they are due. Other workers of the scheduler may do
// so too (a busy worker delays no timer), and after a while the thread of the TimerService does.
// README.md of this folder has the protocol.
class alignas(kCacheLine) TimerQueue {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  // Makes the queue of `service` for all fibers outside of workers with a queue.
  explicit TimerQueue(TimerService& service) noexcept
      : service_(&service) {
  }
  // Makes the queue of a worker of the scheduler of `group`.
  explicit TimerQueue(TimerGroup& group) noexcept
      : group_(&group) {
  }
  // Requires: the queue is empty, and no other thread uses it.
  ~TimerQueue();

  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // Returns the queue of the calling thread's worker, or null.
  static TimerQueue* Current() noexcept {
    return CurrentQueue::Get();
  }
  // Sets that queue. The worker calls it when it starts and ends on a thread.
  static void SetCurrent(TimerQueue* queue) noexcept {
    CurrentQueue::Set(queue);
  }

  // Returns whether timers of fibers of `executor` may be in the queue.
  bool Serves(const executors::IExecutor& executor) const noexcept {
    return group_ == nullptr || &group_->executor == &executor;
  }

  // Returns the earliest due time in nanoseconds of platform::NowNs(). A hint. Any thread.
  std::uint64_t EarliestNs() const noexcept {
    return earliest_ns_.Load(memory_order_relaxed);
  }

  // Adds `sleeper`. Only the worker calls it; for the service's own queue any thread.
  void Start(Sleeper& sleeper) noexcept;
  // Takes `sleeper` out if it is in. Then no thread reads it without the claim. Any thread.
  void Cancel(Sleeper& sleeper) noexcept;

  // Claims and resumes up to a batch of timers due at `now_ns`. Returns their number, which is 0
  // also if another thread has the lock. Workers of the scheduler call it.
  std::uint64_t RunDue(std::uint64_t now_ns) noexcept {
    return EarliestNs() <= now_ns ? RunDueSlow(now_ns) : 0;
  }

  // Records that the worker is awake at `now_ns` and checks its timers again soon. The service's
  // thread leaves them to it for a while.
  void SetAwake(std::uint64_t now_ns) noexcept {
    seen_ns_.Store(now_ns, memory_order_relaxed);
  }
  // Leaves the timers to the service's thread. The worker calls it before it sleeps.
  void SetAsleep() noexcept;

 private:
  friend class TimerService;

  using CurrentQueue = platform::ThreadLocalPtr<TimerQueue, TimerQueue>;

  // A worker is expected to check its timers again within this time: each 61 picks or so.
  static constexpr std::uint64_t kGraceNs = 500'000;
  // Timers that are resumed between two holds of the lock: their submits take a few microseconds.
  static constexpr std::size_t kBatch = 64;

  std::uint64_t RunDueSlow(std::uint64_t now_ns) noexcept;
  // Returns when the service's thread has to run the earliest timer if no worker does, or kNever.
  std::uint64_t NeedsThreadAt() const noexcept;
  // Takes out up to a batch of due timers, as a list by next_due_. Requires: mutex_.
  Sleeper* TakeDue(std::uint64_t now_ns, std::uint64_t& taken) noexcept;
  void SetEarliest() noexcept;
  // Resumes the `taken` fibers that TakeDue() returned. Requires: the lock is free.
  void ResumeAll(Sleeper* due, std::uint64_t taken) noexcept;
  // Registers the queue with the service.
  void Join() noexcept;
  // Takes out the timers on stacks of `pool`. Returns how many timers were taken as due before.
  std::uint64_t Forget(const StackPool& pool) noexcept;
  // Returns when the first `taken` fibers have been resumed.
  void WaitForResumed(std::uint64_t taken) noexcept;

  TimerGroup* const group_ = nullptr;  // null for the service's own queue
  TimerService* service_ = nullptr;    // the worker's; null before the first timer
  platform::Mutex mutex_;
  TimerHeap heap_;                    // guarded by mutex_
  Cell<std::uint64_t> taken_{0};      // guarded by mutex_: number that TakeDue() has claimed
  Atomic<std::uint64_t> resumed_{0};  // number of these that were resumed; their takers write it
  // Written under mutex_. relaxed: without the mutex it is a hint.
  Atomic<std::uint64_t> earliest_ns_{kNever};
  // Time of the last SetAwake(), which the worker writes; 0 in sleep. relaxed: a hint.
  alignas(kCacheLine) Atomic<std::uint64_t> seen_ns_{0};
};

}  // namespace schedbench::fibers
