#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/cache_line.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace schedbench::schedulers {

// Tracks which workers search for work and which sleep, and wakes them. The protocol, its invariants and the proof that no
// wake-up is lost and no worker sleeps beside waiting work: README.md in this folder.
//
// A worker is   running    (with a task, or between two)
//               searching  (counted; looks for work to steal)
//               idle       (its bit is set; about to park, or parked). An inactive one is idle, and is not woken.
// One 64-bit word says all of it, so that no two representations can drift apart. A woken worker is counted as searching by its
// waker, before it even runs: no second one is woken meanwhile.
class Coordinator {
 public:
  // 48 idle bits, 8 bits of count, 8 of flags make a word.
  static constexpr std::uint32_t kMaxWorkers = 48;

  // At most `max_searching` workers search by their own decision.
  Coordinator(std::uint32_t workers, std::uint32_t max_searching) noexcept;

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
    if (Wakeable(state) != 0) {
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

  std::uint32_t Active() const noexcept;

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

  // The word and the bits of it of which one is set while a worker is idle, also one that is not active.
  const Atomic<std::uint64_t>& State() const noexcept {
    return state_;
  }
  std::uint64_t IdleMask() const noexcept {
    return all_idle_;
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
  // others: Notify(). If IsActive() after this, CancelPark().
  Announcement AnnounceInactive(std::uint32_t worker, bool searching) noexcept;

  // Whether the worker is active. Exact after AnnounceInactive(), otherwise a recent value.
  bool IsActive(std::uint32_t worker) const noexcept {
    // relaxed: the fence in AnnounceInactive() comes before it.
    return (active_.Load(memory_order_relaxed) & Bit(worker)) != 0;
  }

  // idle -> searching. False: another thread has just woken us; Park() returns at once.
  bool CancelPark(std::uint32_t worker) noexcept;

  // Ends all workers, if all are idle still. False: one is not, and will announce itself again.
  bool TryEnd(std::uint32_t worker) noexcept;

  enum class Slept : std::uint8_t {
    kWoken,    // idle -> searching
    kEnded,    // all has ended
    kTimeOut,  // still idle
  };

  // Sleeps until woken, and at most for `limit`.
  Slept Park(std::uint32_t worker, std::chrono::nanoseconds limit = kNoLimit) noexcept;
  static constexpr std::chrono::nanoseconds kNoLimit = std::chrono::nanoseconds::max();

  // Whether all workers are idle. Any thread; at some moment of the call.
  bool AllIdle() const noexcept {
    // relaxed: a look.
    return (state_.Load(memory_order_relaxed) & kIdleMask) == all_idle_;
  }

 private:
  // Layout of the word.
  static constexpr unsigned kSearchingShift = kMaxWorkers;
  static constexpr unsigned kWaitersShift = kSearchingShift + 8;
  static constexpr std::uint64_t kIdleMask = (std::uint64_t{1} << kMaxWorkers) - 1;
  static constexpr std::uint64_t kOneSearching = std::uint64_t{1} << kSearchingShift;
  static constexpr std::uint64_t kSearchingMask = kOneSearching * 0xff;
  // Threads in WaitIdle() at a time: at most 63.
  static constexpr std::uint64_t kOneWaiter = std::uint64_t{1} << kWaitersShift;
  static constexpr std::uint64_t kWaitersMask = kOneWaiter * 0x3f;
  static constexpr std::uint64_t kEnded = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kStop = std::uint64_t{1} << 63U;

  // States of a wake word.
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kWoken = 2;

  static constexpr std::uint64_t Bit(std::uint32_t worker) noexcept {
    return std::uint64_t{1} << worker;
  }

  // Idle workers that are active.
  std::uint64_t ActiveIdle(std::uint64_t state) const noexcept {
    // relaxed: after a fence of the caller, as the load of the state is. An old value wakes an inactive worker, which passes
    // the wake on; or misses one that SetActive() wakes.
    return state & active_.Load(memory_order_relaxed);
  }

  // The workers of which one is to be woken for a task; 0: none.
  std::uint64_t Wakeable(std::uint64_t state) const noexcept {
    return (state & (kSearchingMask | kEnded)) == 0 ? ActiveIdle(state) : 0;
  }

  bool WakeOne() noexcept;
  // Makes those of `idle` searchers, in one step from `state`, and wakes them. False: reads `state` anew.
  bool TryClaim(std::uint64_t& state, std::uint64_t idle) noexcept;
  void Wake(std::uint32_t worker) noexcept;
  void WakeAll(std::uint64_t workers) noexcept;
  void WakeIdleWaiters() noexcept;
  void SleepUntilAllIdle(std::uint32_t seen) noexcept;

  // Read by all, hardly ever written.
  const std::uint64_t all_idle_;
  Atomic<std::uint32_t> max_searching_;  // by SetActive() only
  Atomic<std::uint64_t> active_;         // a bit for each active one; by SetActive() only

  // Read at each submit, written when a worker changes its state.
  alignas(kCacheLine) Atomic<std::uint64_t> state_{0};

  // How often all workers have become idle while a thread waited for it. Futex of WaitIdle().
  alignas(kCacheLine) Atomic<std::uint32_t> idle_epoch_{0};

  // Each worker's own, the `wakeups` of document 004. Written by its worker and by the thread that has cleared its idle bit.
  struct alignas(kCacheLine) WakeWord {
    Atomic<std::uint32_t> word{0};
  };
  std::array<WakeWord, kMaxWorkers> wakeups_;
};

template <typename IsIdle>
void Coordinator::WaitIdle(IsIdle is_idle) noexcept {
  // relaxed: an old value only makes the first sleep short. Before the count below, so that a change which follows
  // the count is noticed.
  std::uint32_t seen = idle_epoch_.Load(memory_order_relaxed);
  // acquire (W): pairs with (P) in AnnouncePark(). Of two changes of the word one is the later: either the worker
  // sees us waiting, or is_idle() sees what the worker has completed.
  const std::uint64_t before = state_.FetchAdd(kOneWaiter, memory_order_acquire);
  SB_ASSERT((before & kWaitersMask) != kWaitersMask, "more than 63 threads in WaitIdle");
  while (!is_idle()) {
    SleepUntilAllIdle(seen);
    // acquire: pairs with the release in WakeIdleWaiters().
    seen = idle_epoch_.Load(memory_order_acquire);
  }
  // relaxed: only takes back the count.
  state_.FetchSub(kOneWaiter, memory_order_relaxed);
}

}  // namespace schedbench::schedulers
