#pragma once

#include "base/atomic.hpp"
#include "fibers/time/sleeper.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace schedbench::fibers {

class StackPool;

// Resumes sleepers when their time has come: a heap and a thread that sleeps until the earliest is due. One for the
// process, from first use (OfProcess); models make their own.
//
// Protocol
//   Start    under mutex_: into the heap. The thread is woken only if the new one is due before the thread would wake
//            by itself (next_scan_ns_), and once: the waking thread marks it as awake.
//   thread   under mutex_: takes out the due sleepers and claims each; the claimed ones it resumes after unlocking, in
//            batches, so that no thread waits for mutex_ while an executor works. With nothing due it stores when it
//            will wake, reads the futex word, unlocks, and sleeps while the word stays.
//   Cancel   under mutex_: out of the heap, if still there.
//
// (I1) A sleeper in the heap is alive: it leaves the heap before its fiber resumes, taken out by the thread, or its fiber
// resumes and cancels first of all. (I2) Between unlocking and Resume() the thread holds the claims of its batch: these fibers
// are suspended, and no other thread resumes them. (I3) next_scan_ns_ is never later than the earliest in the heap while mutex_
// is free, or the futex word has been changed since the thread read it.
//
// The race of a timer that fires while it is cancelled is decided by the claim: if another thread took it before, this thread
// drops the timer under mutex_; End() comes after that, or takes it out itself.
//
// To ThreadSanitizer (tsan-strict-full) the service is a scheduler: it orders a fiber's suspension before its resumption, and
// nothing else. That one fiber sleeps longer than another is no order.
//
// When the process exits the thread ends; fibers that sleep then are never resumed. A scheduler that goes while fibers of it sleep
// takes its stacks out (Abandon); other executors must live as long as their sleepers.
//
// Rejected: a heap per worker, as Go has it, where searching workers run the timers of others. It saves a wake of this
// thread per early timer, and needs schedulers that know of time; fibers here run on any executor.
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

  // Claims `sleeper` and resumes it when it is due, unless another thread claims it before. Any
  // thread.
  void Start(Sleeper& sleeper) noexcept;
  // Takes `sleeper` out of the heap if it is there. On return the service does not touch a sleeper
  // that it has not claimed. Any thread.
  void Cancel(Sleeper& sleeper) noexcept;

  // Ends the thread, unless the thread itself calls. No fiber is resumed afterwards. Idempotent.
  void Stop() noexcept;

 private:
  void Run() noexcept;
  // Takes out up to a batch of those that are due; a list by next_due_. Requires: mutex_.
  Sleeper* TakeDue() noexcept;
  void ResumeAll(Sleeper* due) noexcept;
  // Returns when the thread looks at the heap again, at once or later. Requires: mutex_, released meanwhile.
  void Sleep() noexcept;
  void Forget(const StackPool& pool) noexcept;
  void Wake() noexcept;

  static constexpr std::uint64_t kAwake = 0;  // the thread scans the heap anyway

  platform::Mutex mutex_;
  TimerHeap heap_;  // guarded by mutex_
  std::uint64_t next_scan_ns_ =
      kAwake;                // guarded by mutex_: when the thread scans the heap without a wake-up
  bool resuming_ = false;    // guarded by mutex_: the thread has a batch in hand
  std::uint64_t batch_ = 0;  // guarded by mutex_: which one
  bool stopped_ = false;     // guarded by mutex_
  Atomic<std::uint32_t> signals_{0};  // the futex word: changed under mutex_
  std::optional<platform::Thread> thread_;
};

}  // namespace schedbench::fibers
