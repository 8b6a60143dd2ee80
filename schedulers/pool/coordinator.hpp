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
  // Lets a thread run `worker`, which the caller has claimed: it is a searcher. Any thread.
  virtual void Fill(std::uint32_t worker) noexcept = 0;

 protected:
  ~IVacancies() = default;
};

// Tracks which workers search for work and which sleep, and wakes them. README.md has the protocol,
// its invariants, and the proof that no wake-up is lost and no worker sleeps while work waits.
// A worker is   running    (with a task, or between two)
//               searching  (counted; looks for work to steal)
//               idle       (counted, and in the set of the idle; about to park, or parked)
//               inactive   (as idle, but not to be woken, because it is not active)
// One 64-bit word counts them, so that a publisher decides by one load. The sets record which ones
// they are. The waker counts a woken worker as searching before it runs: no second one is woken.
class Coordinator {
 public:
  static constexpr std::uint32_t kMaxWorkers = schedulers::kMaxWorkers;

  // At most `max_searching` workers search by their own decision; a few more for a moment, if they
  // decide at the same time. `vacancies`: runs the workers
  // that park and leave their threads; null: each worker sleeps on a thread of its own.
  Coordinator(std::uint32_t workers, std::uint32_t max_searching, IVacancies* vacancies = nullptr);

  // ---- Any thread ----

  struct Notified {
    std::uint32_t woken;
    bool searched;  // no worker was woken, because enough of them search already
  };

  // Makes sure that the work which the caller has just published will be seen: wakes an idle
  // worker, unless one searches already.
  SB_ALWAYS_INLINE Notified Notify() noexcept {
    // seq_cst (publish): pairs with (park) and (found): either we see the idle worker, or it sees
    // the work. Acquire and release are not enough: our store to a queue must not pass our load of
    // the state.
    AtomicFence(memory_order_seq_cst);
    // relaxed: after the fence.
    if (idle_periods_.Load(memory_order_relaxed) == 0) {
      return {.woken = 0, .searched = false};
    }
    // relaxed: after the fence; WakeOne() checks again.
    const std::uint64_t state = state_.Load(memory_order_relaxed);
    if (IsWakeable(state)) {
      return {.woken = WakeOne() ? 1U : 0U, .searched = false};
    }
    return {.woken = 0, .searched = (state & kSearchingMask) != 0};
  }

  // Notify() for `count` tasks: wakes idle workers until `count` workers search, if possible.
  Notified NotifyMany(std::uint64_t count) noexcept;

  // Notify() by a worker that has found a backlog: wakes up to two idle workers, even if others
  // search, but not more than may search. So the number of awake workers doubles in the time of a
  // wake.
  Notified NotifyOfBacklog() noexcept;

  // Wakes all idle workers, even if a worker searches.
  Notified NotifyAll() noexcept;

  // Requests that the workers end as soon as all of them are idle and there is no work.
  void RequestStop() noexcept;

  // Requests that the workers end as soon as they are idle. Requires: not all of them have been
  // started, so that none ever had work.
  void Abandon() noexcept;

  // Makes the workers below `count` active and the others inactive (see IsActive). At most
  // `max_searching` of them search. Wakes those that become active. One caller at a time. Requires:
  // 1 <= count <= workers.
  void SetActive(std::uint32_t count, std::uint32_t max_searching) noexcept;

  // Wakes the idle workers that SetActive() has made inactive, so that they announce themselves as
  // inactive and are not woken for a task. One that is about to park may be missed: it is woken for
  // a task once, and passes the wake on.
  void WakeDeactivated() noexcept;

  static constexpr std::uint32_t kNone = kMaxWorkers;

  // Makes a searcher of a vacant worker, which the calling thread then runs: `preferred` if it is
  // idle, otherwise any. The caller then calls EndSearch() for it. kNone: no worker is vacant.
  std::uint32_t TryTake(std::uint32_t preferred) noexcept;

  // Called after the end of a task without a worker was counted: does what is due if all are idle.
  void AnnounceOutside() noexcept;

  // Returns whether the ended flag is set.
  bool HasEnded() const noexcept {
    // relaxed: set before the threads that ask are woken.
    return (state_.Load(memory_order_relaxed) & kEnded) != 0;
  }

  // Returns how many workers are active.
  std::uint32_t Active() const noexcept {
    return active_.Load(memory_order_relaxed);
  }

  struct Workers {
    std::uint32_t active;
    std::uint32_t searching;
    std::uint32_t idle;  // idle workers among the active ones
  };

  // Returns how many workers are in each state, at some moment of the call.
  Workers Count() const noexcept;

  // Blocks until `is_idle()` returns true; calls it when all workers become idle, and now and then.
  template <typename IsIdle>
  void WaitIdle(IsIdle is_idle) noexcept;

  // Returns the word. A bit of IdleMask() is set in it while a worker is idle and not claimed.
  const Atomic<std::uint64_t>& State() const noexcept {
    return state_;
  }
  static constexpr std::uint64_t IdleMask() noexcept {
    return kIdleMask;
  }

  // Returns a word that is mostly 0 while no worker is idle. A publisher that reads 0 after its
  // fence need not call Notify(): if a worker is idle nevertheless, one rechecks the queues later.
  const Atomic<std::uint64_t>& IdlePeriods() const noexcept {
    return idle_periods_;
  }

  // ---- The worker itself ----

  // running -> searching. False: enough workers search already.
  bool TryBeginSearch() noexcept;

  // searching -> running, with work. True: it was the last searcher and must recheck the queues,
  // and Notify() if any work is visible.
  bool EndSearch() noexcept;

  struct Announcement {
    bool recheck;  // no worker searches: recheck all queues before Park()
    bool last;  // all workers are idle and are to stop, or have ended: TryEnd() if there is no work
  };

  // running or searching -> idle, not yet asleep.
  Announcement AnnouncePark(std::uint32_t worker, bool searching) noexcept;

  // running or searching -> inactive: not woken until it is active again. The work that its recheck
  // finds is for others: Notify(). If IsActive() after this, CancelInactive().
  Announcement AnnounceInactive(std::uint32_t worker, bool searching) noexcept;

  // Returns whether the worker is active. Exact after AnnounceInactive(), otherwise a recent value.
  bool IsActive(std::uint32_t worker) const noexcept {
    // relaxed: the fence in AnnounceInactive() comes before it.
    return worker < active_.Load(memory_order_relaxed);
  }

  // idle -> searching. False: a searcher will find the work, because another thread has claimed
  // this worker or all idle workers, or all has ended. Then call Park().
  bool CancelPark(std::uint32_t worker) noexcept;

  // inactive -> searching. False: SetActive() has claimed the worker; Park() returns at once.
  bool CancelInactive(std::uint32_t worker) noexcept;

  // Ends all workers if all are still idle. False: one is not, and will announce itself again.
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

  // Replaces Park(): leaves the worker without a thread. kVacant: the thread that claims the worker
  // runs it from now on, and the caller may not touch it. Other results are those of Park().
  Slept Vacate(std::uint32_t worker) noexcept;

  // Returns whether all workers are idle or inactive, at some moment of the call. Any thread.
  bool AllIdle() const noexcept {
    return AllIdle(state_.Load(memory_order_relaxed));
  }

 private:
  // Layout of the word. 12 bits also hold workers that are claimed, and so counted, twice.
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
  // Returns whether a worker is to be woken for a task.
  static constexpr bool IsWakeable(std::uint64_t state) noexcept {
    return Idle(state) != 0 && (state & (kSearchingMask | kEnded)) == 0;
  }
  // Returns whether every worker is idle or inactive and not claimed.
  bool AllIdle(std::uint64_t state) const noexcept {
    return Idle(state) + (state >> kInactiveShift & kIdleMask) == workers_;
  }

  // Counts the idle period that our next step on the word will begin, if no worker is idle.
  bool CountIdlePeriodEarly() noexcept;
  Announcement Announce(std::uint64_t change, bool searching) noexcept;
  bool WakeOne() noexcept;
  // Wakes up to `most` idle workers, until `searchers` workers search.
  Notified NotifyUntil(std::uint64_t searchers, std::uint64_t most) noexcept;
  // (claim) Makes searchers of `count` idle workers, in one step from `state`, whichever they are;
  // the caller wakes this many. False: reads `state` anew.
  bool TryClaim(std::uint64_t& state, std::uint64_t count) noexcept;
  // Counts an idle period that begins or ends by a step of the word. Returns whether one did.
  bool CountIdlePeriod(std::uint64_t before, std::uint64_t after) noexcept;
  // Wakes `count` workers that the caller has claimed, the first from `first` on.
  void WakeClaimed(std::uint64_t count, std::uint32_t first) noexcept;
  void Wake(std::uint32_t worker) noexcept;
  void WakeAllBut(std::uint32_t worker) noexcept;
  // Empties the wake word after a sleep.
  Slept Awake(Atomic<std::uint32_t>& word) noexcept;
  void WakeIdleWaiters() noexcept;
  void SleepUntilAllIdle(std::uint32_t seen) noexcept;

  // All threads read these fields, which hardly ever change.
  const std::uint32_t workers_;
  IVacancies* const vacancies_;
  // Written by SetActive() only. relaxed: a limit, not a promise.
  Atomic<std::uint32_t> max_searching_;
  // Workers below it are active. Written by SetActive() only. relaxed: only the number counts, and
  // the fence (resize) orders it with the sets.
  Atomic<std::uint32_t> active_;

  // A word for each worker: the `wakeups` of the Scalable Scheduler task. Written by its worker, by
  // the thread that has taken it out of a set, and at the end.
  struct alignas(kCacheLine) WakeWord {
    Atomic<std::uint32_t> word{0};
  };
  std::vector<WakeWord> wakeups_;

  // Read at each submit and fork: the number of idle periods that have begun, minus those that have
  // ended. In an idle period the word counts an idle worker. The first idle worker counts it,
  // mostly before its step on the word. The claim of the last one counts its end after the step.
  // relaxed: the fences (publish), (park), (found) and (give back) order it.
  alignas(kCacheLine) Atomic<std::uint64_t> idle_periods_{0};

  // Written when a worker changes its state. relaxed: an exchange checks what was read; changes are
  // as (claim); for other reads a recent value is enough.
  alignas(kCacheLine) Atomic<std::uint64_t> state_{0};
  // The idle workers, at least the number in the word. Written with the word, so it is near it.
  WorkerSet idle_;

  // The inactive workers, at most the number in the word.
  alignas(kCacheLine) WorkerSet inactive_;

  // Number of times that all workers became idle while a thread waited for it. Futex of WaitIdle().
  alignas(kCacheLine) Atomic<std::uint32_t> idle_epoch_{0};
};

template <typename IsIdle>
void Coordinator::WaitIdle(IsIdle is_idle) noexcept {
  // relaxed: an old value only makes the first sleep short. It comes before the count below, so
  // that a change after the count is noticed.
  std::uint32_t seen = idle_epoch_.Load(memory_order_relaxed);
  // acquire (wait idle): pairs with (park) in AnnouncePark(). Of two changes of the word one is the
  // later: either the worker sees us waiting, or is_idle() sees what the worker has completed.
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
