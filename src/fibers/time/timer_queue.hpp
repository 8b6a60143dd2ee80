#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
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

// What the timer queues of one scheduler share.
struct TimerGroup {
  explicit TimerGroup(const executors::IExecutor& executor) noexcept
      : executor(executor) {
  }

  // Whether a queue has ever had a timer. A hint, which spares workers a look at the clock. Any thread.
  bool IsUsed() const noexcept {
    return is_used.Load(memory_order_relaxed);  // relaxed: a hint
  }

  // Only fibers of this executor have timers in the queues.
  const executors::IExecutor& executor;
  Atomic<bool> is_used{false};
};

// Timers with a lock: those of the fibers that slept last on one worker, or all others of the process. The worker runs its own
// when they are due, another worker of the same scheduler may (a busy worker delays no timer), and after a while the thread of
// the TimerService does. README.md of this folder has the protocol.
class alignas(kCacheLine) TimerQueue {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  // The queue of `service` for all fibers that are on no worker with a queue.
  explicit TimerQueue(TimerService& service) noexcept
      : service_(&service) {
  }
  // The queue of a worker of the scheduler of `group`.
  explicit TimerQueue(TimerGroup& group) noexcept
      : group_(&group) {
  }
  // Requires: no timer, and no other thread uses the queue.
  ~TimerQueue();

  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // The queue of the calling thread's worker, or null.
  static TimerQueue* Current() noexcept {
    return CurrentQueue::Get();
  }
  // Sets it. By the worker, when it begins and ends on a thread.
  static void SetCurrent(TimerQueue* queue) noexcept {
    CurrentQueue::Set(queue);
  }

  // Whether timers of fibers of `executor` may be in the queue.
  bool Serves(const executors::IExecutor& executor) const noexcept {
    return group_ == nullptr || &group_->executor == &executor;
  }

  // When the earliest timer is due, in nanoseconds of platform::NowNs(). Any thread; a hint.
  std::uint64_t EarliestNs() const noexcept {
    return earliest_ns_.Load(memory_order_relaxed);  // relaxed: a hint
  }

  // Adds `sleeper`. By the worker; the service's own: any thread.
  void Start(Sleeper& sleeper) noexcept;
  // Takes `sleeper` out if it is in. On return no thread reads a sleeper that it has not claimed. Any thread.
  void Cancel(Sleeper& sleeper) noexcept;

  // Claims and resumes up to a batch of the timers that were due at `now_ns`. Returns how many; 0 also if another thread has
  // the lock. By a worker of the scheduler.
  std::uint64_t RunDue(std::uint64_t now_ns) noexcept {
    return EarliestNs() <= now_ns ? RunDueSlow(now_ns) : 0;
  }

  // The worker: it is awake at `now_ns`, and looks at its timers again soon. The service's thread leaves them to it for a while.
  void SetAwake(std::uint64_t now_ns) noexcept {
    seen_ns_.Store(now_ns, memory_order_relaxed);  // relaxed: a hint, which passes
  }
  // The worker: it is about to sleep. The service's thread looks after the timers.
  void SetAsleep() noexcept;

 private:
  friend class TimerService;

  using CurrentQueue = platform::ThreadLocalPtr<TimerQueue, TimerQueue>;

  // For how long a worker that looked at its timers is expected to do so again. Workers look every 61 picks or so.
  static constexpr std::uint64_t kGraceNs = 500'000;
  // Resumed between two looks at the lock: as many submits as take a few microseconds.
  static constexpr std::size_t kBatch = 64;

  std::uint64_t RunDueSlow(std::uint64_t now_ns) noexcept;
  // When the service's thread has to run the earliest timer, if no worker does: not before it is due. kNever: there is none.
  std::uint64_t NeedsThreadAt() const noexcept;
  // Takes out up to a batch of those that are due; a list by next_due_. Requires: mutex_.
  Sleeper* TakeDue(std::uint64_t now_ns, std::uint64_t& taken) noexcept;
  void SetEarliest() noexcept;
  // Resumes what TakeDue() returned, `taken` fibers. Without the lock.
  void ResumeAll(Sleeper* due, std::uint64_t taken) noexcept;
  // Lets the service's thread look after the queue.
  void Join() noexcept;
  // Takes out the timers that lie on stacks of `pool`. Returns how many have been taken before.
  std::uint64_t Forget(const StackPool& pool) noexcept;
  // Returns when the first `taken` have been resumed.
  void WaitForResumed(std::uint64_t taken) noexcept;

  TimerGroup* const group_ = nullptr;  // null: the service's own
  TimerService* service_ = nullptr;    // null: no timer yet. The worker's.
  platform::Mutex mutex_;
  TimerHeap heap_;                             // guarded by mutex_
  std::uint64_t taken_ = 0;                    // guarded by mutex_: claimed by TakeDue() so far
  Atomic<std::uint64_t> resumed_{0};           // of these. Written by those that took them.
  Atomic<std::uint64_t> earliest_ns_{kNever};  // written under mutex_
  // Written by the worker. 0: it sleeps.
  alignas(kCacheLine) Atomic<std::uint64_t> seen_ns_{0};
};

}  // namespace schedbench::fibers
