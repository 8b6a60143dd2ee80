#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "schedulers/pool/worker_limits.hpp"
#include "schedulers/pool/worker_set.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace schedbench::schedulers {

// Runs a worker that no thread runs.
class IVacancies {
 public:
  // A thread is to run `worker`, which the caller has claimed and the thread finds as a searcher. Any thread.
  virtual void Fill(std::uint32_t worker) noexcept = 0;

 protected:
  ~IVacancies() = default;
};

// Tracks which workers search for work and which sleep, and wakes them. The protocol, its invariants and the proof that no
// wake-up is lost and no worker sleeps beside waiting work: README.md in this folder.
//
// A worker is   running    (with a task, or between two)
//               searching  (counted; looks for work to steal)
//               idle       (counted, and in the set of the idle; about to park, or parked)
//               inactive   (the same for a worker that is not to be woken, because it is not active)
// One 64-bit word counts them, so that a publisher decides by one load. The set says which ones they are. A woken worker is
// counted as searching by its waker, before it even runs: no second one is woken meanwhile.
class Coordinator {
 public:
  static constexpr std::uint32_t kMaxWorkers = schedulers::kMaxWorkers;

  // At most `max_searching` workers search by their own decision. `vacancies`: where workers that park leave their threads; null:
  // each worker sleeps on a thread of its own.
  Coordinator(std::uint32_t workers, std::uint32_t max_searching, IVacancies* vacancies = nullptr);

  // ---- Any thread ----

  struct Notified {
    std::uint32_t woken;
    bool searched;  // none was woken, because one searches already
  };

  // Makes sure that the work which the caller has just published will be seen: wakes an idle worker, unless one searches
  // already.
  SB_ALWAYS_INLINE Notified Notify() noexcept {
    // seq_cst (N): pairs with (P) and (F): either we see the idle worker, or it sees the work. Acquire and
    // release are not enough: our store to a queue must not pass our load of the state.
    AtomicFence(memory_order_seq_cst);
    // relaxed: after the fence; WakeOne() checks again.
    const std::uint64_t state = state_.Load(memory_order_relaxed);
    if (IsWakeable(state)) {
      return {.woken = WakeOne() ? 1U : 0U, .searched = false};
    }
    return {.woken = 0, .searched = (state & kSearchingMask) != 0};
  }

  // The same for `count` tasks: lets as many workers search as there are tasks, idle ones permitting.
  Notified NotifyMany(std::uint64_t count) noexcept;

  // The same for all that are idle, even if one searches.
  Notified NotifyAll() noexcept;

  // Requests that the workers end as soon as all of them are idle and there is no work.
  void RequestStop() noexcept;

  // Requests that the workers end as soon as they are idle. Requires: not all of them have been started, so that none
  // ever had work.
  void Abandon() noexcept;

  // Makes the workers below `count` active and the others inactive (see IsActive), at most `max_searching` of them search.
  // Wakes those that become active. One caller at a time. Requires: 1 <= count <= workers.
  void SetActive(std::uint32_t count, std::uint32_t max_searching) noexcept;

  // Wakes the idle workers that SetActive() has made inactive, so that they announce themselves as such and are not woken for a
  // task. One that is about to park may be missed: it is woken for a task once, and passes the wake on.
  void WakeDeactivated() noexcept;

  static constexpr std::uint32_t kNone = kMaxWorkers;

  // Makes a searcher of a vacant worker, whose next thread is the caller's: of `preferred` if that is idle, else of any. kNone:
  // none is vacant. The caller then calls EndSearch() for it.
  std::uint32_t TryTake(std::uint32_t preferred) noexcept;

  // A task has ended that no worker ran, and is counted: does what is due when all workers are idle.
  void AnnounceOutside() noexcept;

  // Whether all has ended.
  bool HasEnded() const noexcept {
    // relaxed: set before the threads that ask are woken.
    return (state_.Load(memory_order_relaxed) & kEnded) != 0;
  }

  // How many workers are active.
  std::uint32_t Active() const noexcept {
    // relaxed: a number, and nothing that depends on it.
    return active_.Load(memory_order_relaxed);
  }

  struct Workers {
    std::uint32_t active;
    std::uint32_t searching;
    std::uint32_t idle;  // of the active ones
  };

  // How many are in which state, at some moment of the call.
  Workers Count() const noexcept;

  // Blocks until `is_idle()` returns true; calls it when all workers have become idle, and now and then.
  template <typename IsIdle>
  void WaitIdle(IsIdle is_idle) noexcept;

  // The word, and the bits of it of which one is set while a worker is idle that no thread has claimed.
  const Atomic<std::uint64_t>& State() const noexcept {
    return state_;
  }
  static constexpr std::uint64_t IdleMask() noexcept {
    return kIdleMask;
  }

  // ---- The worker itself ----

  // running -> searching. False when enough search already.
  bool TryBeginSearch() noexcept;

  // searching -> running: found work. True: it was the last one and must recheck the queues, and Notify() if any work is
  // visible.
  bool EndSearch() noexcept;

  struct Announcement {
    bool recheck;  // none searches: recheck all queues before Park()
    bool last;     // all are idle and are to stop, or have been: TryEnd() if there is nothing
  };

  // running or searching -> idle, not yet asleep.
  Announcement AnnouncePark(std::uint32_t worker, bool searching) noexcept;

  // The same for an inactive worker: it is not woken until it is active again. What it finds when it rechecks the queues is for
  // others: Notify(). If IsActive() after this, CancelInactive().
  Announcement AnnounceInactive(std::uint32_t worker, bool searching) noexcept;

  // Whether the worker is active. Exact after AnnounceInactive(), otherwise a recent value.
  bool IsActive(std::uint32_t worker) const noexcept {
    // relaxed: the fence in AnnounceInactive() comes before it.
    return worker < active_.Load(memory_order_relaxed);
  }

  // idle -> searching. False: a worker that searches will find the work. Another thread has claimed us, or all idle workers, or
  // all has ended: Park().
  bool CancelPark(std::uint32_t worker) noexcept;

  // inactive -> searching. False: SetActive() has claimed us; Park() returns at once.
  bool CancelInactive(std::uint32_t worker) noexcept;

  // Ends all workers, if all are idle still. False: one is not, and will announce itself again.
  bool TryEnd(std::uint32_t worker) noexcept;

  enum class Slept : std::uint8_t {
    kWoken,    // idle -> searching
    kEnded,    // all has ended
    kTimeOut,  // still idle
    kVacant,   // the thread has left the worker
  };

  // Sleeps until woken, and at most for `limit`.
  Slept Park(std::uint32_t worker, std::chrono::nanoseconds limit = kNoLimit) noexcept;
  static constexpr std::chrono::nanoseconds kNoLimit = std::chrono::nanoseconds::max();

  // In place of Park(): leaves the worker without a thread. kVacant: whichever thread claims it runs it from now on, and nothing of
  // it may be touched. Else as Park().
  Slept Vacate(std::uint32_t worker) noexcept;

  // Whether all workers are idle or inactive. Any thread; at some moment of the call.
  bool AllIdle() const noexcept {
    // relaxed: a look.
    return AllIdle(state_.Load(memory_order_relaxed));
  }

 private:
  // Layout of the word. A worker that is claimed twice for a moment is counted as searching twice: 12 bits hold that.
  static constexpr unsigned kCountBits = 12;
  static constexpr unsigned kInactiveShift = 2 * kCountBits;
  static constexpr std::uint64_t kOneIdle = 1;
  static constexpr std::uint64_t kIdleMask = (std::uint64_t{1} << kCountBits) - 1;
  static constexpr unsigned kSearchingShift = kCountBits;
  static constexpr std::uint64_t kOneSearching = std::uint64_t{1} << kSearchingShift;
  static constexpr std::uint64_t kSearchingMask = kOneSearching * kIdleMask;
  static constexpr std::uint64_t kOneInactive = std::uint64_t{1} << kInactiveShift;
  // Threads in WaitIdle() at a time: at most 65,535.
  static constexpr std::uint64_t kOneWaiter = std::uint64_t{1} << 3 * kCountBits;
  static constexpr std::uint64_t kWaitersMask = kOneWaiter * 0xffff;
  static constexpr std::uint64_t kEnded = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kStop = std::uint64_t{1} << 63U;
  static_assert(std::uint64_t{2} * kMaxWorkers <= kIdleMask);

  // States of a wake word.
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kWoken = 2;
  static constexpr std::uint32_t kVacantWorker = 3;  // no thread runs the worker

  static constexpr std::uint64_t Idle(std::uint64_t state) noexcept {
    return state & kIdleMask;
  }
  static constexpr std::uint64_t Searching(std::uint64_t state) noexcept {
    return (state & kSearchingMask) >> kSearchingShift;
  }
  // Whether a worker is to be woken for a task.
  static constexpr bool IsWakeable(std::uint64_t state) noexcept {
    return Idle(state) != 0 && (state & (kSearchingMask | kEnded)) == 0;
  }
  // Whether every worker is idle or inactive, and none is claimed.
  bool AllIdle(std::uint64_t state) const noexcept {
    return Idle(state) + (state >> kInactiveShift & kIdleMask) == workers_;
  }

  Announcement Announce(std::uint64_t change, bool searching) noexcept;
  bool WakeOne() noexcept;
  // (C) Makes searchers of `count` idle workers, in one step from `state`, whichever they are: the caller wakes as many. False:
  // reads `state` anew.
  bool TryClaim(std::uint64_t& state, std::uint64_t count) noexcept;
  // Wakes `count` workers that the caller has claimed, the first from `first` on.
  void WakeClaimed(std::uint64_t count, std::uint32_t first) noexcept;
  void Wake(std::uint32_t worker) noexcept;
  void WakeAllBut(std::uint32_t worker) noexcept;
  // What follows a sleep: empties the wake word.
  Slept Awake(Atomic<std::uint32_t>& word) noexcept;
  void WakeIdleWaiters() noexcept;
  void SleepUntilAllIdle(std::uint32_t seen) noexcept;

  // Read by all, hardly ever written.
  const std::uint32_t workers_;
  IVacancies* const vacancies_;
  Atomic<std::uint32_t> max_searching_;  // by SetActive() only
  Atomic<std::uint32_t> active_;         // the workers below are active; by SetActive() only

  // Each worker's own, the `wakeups` of the Scalable Scheduler task. Written by its worker, by the thread that has taken it out of a set, and at
  // the end.
  struct alignas(kCacheLine) WakeWord {
    Atomic<std::uint32_t> word{0};
  };
  std::vector<WakeWord> wakeups_;

  // Read at each submit, written when a worker changes its state.
  alignas(kCacheLine) Atomic<std::uint64_t> state_{0};
  // The idle workers, at least as many as the word counts. Written with the word, and so on its cache line as far as they fit.
  WorkerSet idle_;

  // The inactive workers, at most as many as the word counts.
  alignas(kCacheLine) WorkerSet inactive_;

  // How often all workers have become idle while a thread waited for it. Futex of WaitIdle().
  alignas(kCacheLine) Atomic<std::uint32_t> idle_epoch_{0};
};

template <typename IsIdle>
void Coordinator::WaitIdle(IsIdle is_idle) noexcept {
  // relaxed: an old value only makes the first sleep short. Before the count below, so that a change which follows
  // the count is noticed.
  std::uint32_t seen = idle_epoch_.Load(memory_order_relaxed);
  // acquire (W): pairs with (P) in AnnouncePark(). Of two changes of the word one is the later: either the worker
  // sees us waiting, or is_idle() sees what the worker has completed.
  const std::uint64_t before = state_.FetchAdd(kOneWaiter, memory_order_acquire);
  SB_ASSERT((before & kWaitersMask) != kWaitersMask, "more than 65,535 threads in WaitIdle");
  while (!is_idle()) {
    SleepUntilAllIdle(seen);
    // acquire: pairs with the release in WakeIdleWaiters().
    seen = idle_epoch_.Load(memory_order_acquire);
  }
  // relaxed: only takes back the count.
  state_.FetchSub(kOneWaiter, memory_order_relaxed);
}

}  // namespace schedbench::schedulers
