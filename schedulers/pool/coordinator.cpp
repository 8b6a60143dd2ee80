#include "schedulers/pool/coordinator.hpp"

#include "platform/threads/futex.hpp"

#include <algorithm>

namespace schedbench::schedulers {

namespace {

// Returns false iff the time ran out.
bool SleepOn(const Atomic<std::uint32_t>& word, std::uint32_t expected,
             std::chrono::nanoseconds limit) noexcept {
  if (limit == Coordinator::kNoLimit) {
    platform::FutexWait(word, expected);
    return true;
  }
  return platform::FutexWaitFor(word, expected, limit);
}

}  // namespace

Coordinator::Coordinator(std::uint32_t workers, std::uint32_t max_searching, IVacancies* vacancies)
    : workers_(workers),
      vacancies_(vacancies),
      max_searching_(max_searching),
      active_(workers),
      wakeups_(workers),
      idle_(workers),
      inactive_(workers) {
  SB_ASSERT(workers >= 1 && workers <= kMaxWorkers, "from 1 to kMaxWorkers");
}

bool Coordinator::TryClaim(std::uint64_t& state, std::uint64_t count) noexcept {
  const std::uint64_t claimed = state + count * (kOneSearching - kOneIdle);
  // (claim) relaxed: only the order of the changes of the word counts; the fences (publish),
  // (found) and (park) order what was published before. On failure the caller looks again.
  if (!state_.CompareExchangeWeak(state, claimed, memory_order_relaxed, memory_order_relaxed)) {
    return false;
  }
  CountIdlePeriod(state, claimed);
  return true;
}

bool Coordinator::CountIdlePeriod(std::uint64_t before, std::uint64_t after) noexcept {
  if ((Idle(before) == 0) == (Idle(after) == 0)) {
    return false;
  }
  if (Idle(before) == 0) {
    idle_periods_.FetchAdd(1, memory_order_relaxed);
  } else {
    idle_periods_.FetchSub(1, memory_order_relaxed);
  }
  return true;
}

void Coordinator::WakeClaimed(std::uint64_t count, std::uint32_t first) noexcept {
  for (; count > 0; --count) {
    first = idle_.Take(first);
    Wake(first);
  }
}

bool Coordinator::WakeOne() noexcept {
  std::uint64_t state = state_.Load(memory_order_relaxed);
  while (IsWakeable(state)) {
    if (TryClaim(state, 1)) {
      // The lowest index: the same few workers stay warm under light load, the others sleep.
      WakeClaimed(1, 0);
      return true;
    }
  }
  return false;
}

Coordinator::Notified Coordinator::NotifyMany(std::uint64_t count) noexcept {
  return NotifyUntil(count, count);
}

Coordinator::Notified Coordinator::NotifyOfBacklog() noexcept {
  return NotifyUntil(max_searching_.Load(memory_order_relaxed), 2);
}

Coordinator::Notified Coordinator::NotifyAll() noexcept {
  return NotifyUntil(kIdleMask, kIdleMask);
}

Coordinator::Notified Coordinator::NotifyUntil(std::uint64_t searchers,
                                               std::uint64_t most) noexcept {
  // seq_cst (publish): pairs with (park) and (found), as in Notify().
  AtomicFence(memory_order_seq_cst);
  std::uint64_t state = state_.Load(memory_order_relaxed);
  for (;;) {
    const std::uint64_t searching = Searching(state);
    if (Idle(state) == 0 || (state & kEnded) != 0 || searching >= searchers) {
      return {.woken = 0, .searched = searching >= searchers};
    }
    const std::uint64_t wanted = std::min({Idle(state), searchers - searching, most});
    if (TryClaim(state, wanted)) {
      WakeClaimed(wanted, 0);
      return {.woken = static_cast<std::uint32_t>(wanted), .searched = false};
    }
  }
}

void Coordinator::Wake(std::uint32_t worker) noexcept {
  Atomic<std::uint32_t>& word = wakeups_[worker].word;
  // release: pairs with the acquires in Park() and Vacate(); acquire: with the release in Vacate().
  const std::uint32_t before = word.Exchange(kWoken, memory_order_acq_rel);
  if (before == kAsleep) {
    platform::FutexWake(word, 1);
  } else if (before == kVacantWorker && !HasEnded()) {
    // relaxed: the next thread of the worker gets it from this one.
    word.Store(kEmpty, memory_order_relaxed);
    vacancies_->Fill(worker);
  }
}

std::uint32_t Coordinator::TryTake(std::uint32_t preferred) noexcept {
  std::uint64_t state = state_.Load(memory_order_relaxed);
  while (Idle(state) != 0 && (state & kEnded) == 0) {
    if (!TryClaim(state, 1)) {
      continue;
    }
    const std::uint32_t worker = idle_.TryRemove(preferred) ? preferred : idle_.Take(0);
    Atomic<std::uint32_t>& word = wakeups_[worker].word;
    // acquire, release: pairs with the release and the acquire in Vacate(), as in Wake().
    if (word.Exchange(kWoken, memory_order_acq_rel) == kVacantWorker) {
      word.Store(kEmpty, memory_order_relaxed);  // relaxed: the worker is this thread's
      return worker;
    }
    // Its thread is about to leave it. It finds that it is woken, and searches, no matter for what.
    state = state_.Load(memory_order_relaxed);
  }
  return kNone;
}

void Coordinator::AnnounceOutside() noexcept {
  // release (outside): pairs with (wait idle) and (park). Either this step or that of a waiter is
  // the later one: we see the waiter, or it sees what is counted. We need not pass on what others
  // counted: the park that made all workers idle acquires it and wakes the waiters that it sees,
  // later waiters acquire it themselves, and each (outside) after that park wakes for itself.
  const std::uint64_t state = state_.FetchAdd(0, memory_order_release);
  if (AllIdle(state) && (state & kWaitersMask) != 0) {
    WakeIdleWaiters();
  }
  if ((state & kStop) != 0) {
    WakeOne();  // as in RequestStop()
  }
}

void Coordinator::SetActive(std::uint32_t count, std::uint32_t max_searching) noexcept {
  SB_ASSERT(count >= 1 && count <= workers_, "no more than there are");
  max_searching_.Store(max_searching, memory_order_relaxed);
  const std::uint32_t before = active_.Load(memory_order_relaxed);
  active_.Store(count, memory_order_relaxed);
  // release (resize): pairs with (inactive) in AnnounceInactive(), by the word of the set that
  // TryRemove() and Add() change.
  AtomicFence(memory_order_release);
  for (std::uint32_t worker = before; worker < count; ++worker) {
    if (inactive_.TryRemove(worker)) {
      state_.FetchAdd(kOneSearching - kOneInactive, memory_order_relaxed);
      Wake(worker);
    }
  }
}

void Coordinator::WakeDeactivated() noexcept {
  const std::uint32_t active = Active();
  std::uint64_t state = state_.Load(memory_order_relaxed);
  // No more than there are now: one that has not yet seen that it is inactive may return as idle.
  for (std::uint32_t left = idle_.Count(active, workers_);
       left > 0 && Idle(state) != 0 && (state & kEnded) == 0;) {
    if (TryClaim(state, 1)) {
      WakeClaimed(1, active);
      --left;
    }
  }
}

Coordinator::Workers Coordinator::Count() const noexcept {
  const std::uint64_t state = state_.Load(memory_order_relaxed);
  return {.active = Active(),
          .searching = static_cast<std::uint32_t>(Searching(state)),
          .idle = idle_.Count(0, Active())};
}

void Coordinator::RequestStop() noexcept {
  // relaxed: as (claim); a worker that announces later sees the flag.
  state_.FetchOr(kStop, memory_order_relaxed);
  // The woken worker rechecks and announces itself again. Others that run or search do so anyway.
  WakeOne();
}

bool Coordinator::TryBeginSearch() noexcept {
  if (Searching(state_.Load(memory_order_relaxed)) >= max_searching_.Load(memory_order_relaxed)) {
    return false;
  }
  // Several workers at a time may exceed the limit. An exchange that fails if another worker has
  // changed the word would keep to it, but with hundreds of workers it fails again and again.
  state_.FetchAdd(kOneSearching, memory_order_relaxed);
  return true;
}

bool Coordinator::EndSearch() noexcept {
  const std::uint64_t before = state_.FetchSub(kOneSearching, memory_order_relaxed);
  if ((before & kSearchingMask) != kOneSearching) {
    return false;
  }
  // seq_cst (found): pairs with (publish): a publisher that saw us search has published before our
  // recheck.
  AtomicFence(memory_order_seq_cst);
  return true;
}

Coordinator::Announcement Coordinator::AnnouncePark(std::uint32_t worker, bool searching) noexcept {
  // It is in the set before it is counted: a thread that has claimed an idle worker finds one.
  idle_.Add(worker);
  return Announce(kOneIdle, searching);
}

bool Coordinator::CountIdlePeriodEarly() noexcept {
  if (Idle(state_.Load(memory_order_relaxed)) != 0) {
    return false;
  }
  // relaxed (early): our step on the word releases it. So a publisher that has not seen the period
  // has published before the fence of each worker that rechecks after that step.
  idle_periods_.FetchAdd(1, memory_order_relaxed);
  return true;
}

Coordinator::Announcement Coordinator::Announce(std::uint64_t change, bool searching) noexcept {
  const bool early = Idle(change) != 0 && CountIdlePeriodEarly();
  change -= searching ? kOneSearching : 0;
  // acq_rel (park): release pairs with (wait idle), acquire pairs with the (park) of others: our
  // step, as the last one, also passes on what they have completed.
  const std::uint64_t before = state_.FetchAdd(change, memory_order_acq_rel);
  const std::uint64_t state = before + change;
  bool late = false;  // the first idle worker, and the period was not counted early
  if (early && Idle(before) != 0) {
    idle_periods_.FetchSub(1, memory_order_relaxed);  // another worker was faster
  } else if (!early) {
    late = CountIdlePeriod(before, state);
  }
  if (AllIdle(state) && (state & kWaitersMask) != 0) {
    WakeIdleWaiters();
  }
  const bool recheck = late || (state & kSearchingMask) == 0;
  if (recheck) {
    // seq_cst (park): pairs with (publish): either the publisher sees that we are idle, or we see
    // the work. After a late count we recheck even if others search: a publisher may have read
    // idle_periods_ after our step, and before the count.
    AtomicFence(memory_order_seq_cst);
  }
  const bool last = (state & kStop) != 0 && AllIdle(state);
  return {.recheck = recheck, .last = last || (state & kEnded) != 0};
}

Coordinator::Announcement Coordinator::AnnounceInactive(std::uint32_t worker,
                                                        bool searching) noexcept {
  const Announcement announcement = Announce(kOneInactive, searching);
  // It joins the set after it is counted: the thread that removes it takes it from the count.
  inactive_.Add(worker);
  // acquire (inactive): pairs with (resize): SetActive() finds us in the set, or we see that we are
  // active.
  AtomicFence(memory_order_acquire);
  return announcement;
}

bool Coordinator::CancelPark(std::uint32_t worker) noexcept {
  std::uint64_t state = state_.Load(memory_order_relaxed);
  do {
    if (Idle(state) == 0 || (state & kEnded) != 0) {
      return false;
    }
  } while (!TryClaim(state, 1));
  if (idle_.TryRemove(worker)) {
    return true;
  }
  // Another thread has claimed us, and we are counted as searching for that. We return our own
  // claim, which is for another worker. We are not the last searcher, so that no recheck is due.
  const std::uint64_t before = state_.FetchSub(kOneSearching - kOneIdle, memory_order_relaxed);
  if (CountIdlePeriod(before, before - (kOneSearching - kOneIdle))) {
    // release (give back): pairs with (found) and (park). This worker leaves the search later. So a
    // publisher that has not seen the new idle period has published before the recheck of the last
    // worker to leave it.
    AtomicFence(memory_order_release);
  }
  return false;
}

bool Coordinator::CancelInactive(std::uint32_t worker) noexcept {
  if (!inactive_.TryRemove(worker)) {
    return false;
  }
  state_.FetchAdd(kOneSearching - kOneInactive, memory_order_relaxed);
  return true;
}

bool Coordinator::TryEnd(std::uint32_t worker) noexcept {
  std::uint64_t state = state_.Load(memory_order_relaxed);
  do {
    if ((state & kEnded) != 0) {
      return true;
    }
    if (!AllIdle(state)) {
      return false;
    }
  } while (!state_.CompareExchangeWeak(state, state | kEnded, memory_order_relaxed,
                                       memory_order_relaxed));
  WakeAllBut(worker);
  return true;
}

void Coordinator::Abandon() noexcept {
  // relaxed: as (claim); a worker that announces later sees the flag.
  state_.FetchOr(kStop | kEnded, memory_order_relaxed);
  WakeAllBut(workers_);
}

void Coordinator::WakeAllBut(std::uint32_t worker) noexcept {
  for (std::uint32_t other = 0; other < workers_; ++other) {
    if (other != worker) {
      Wake(other);
    }
  }
}

Coordinator::Slept Coordinator::Park(std::uint32_t worker,
                                     std::chrono::nanoseconds limit) noexcept {
  Atomic<std::uint32_t>& word = wakeups_[worker].word;
  std::uint32_t state = kEmpty;
  // acquire: pairs with the release in Wake(), when it has come first (the exchange fails and reads
  // it). On success we have read nothing; g++ accepts no weaker order there than on failure.
  if (word.CompareExchange(state, kAsleep, memory_order_acquire, memory_order_acquire)) {
    do {
      if (!SleepOn(word, kAsleep, limit)) {
        state = kAsleep;
        // relaxed: success reads what this thread wrote; after a failure, the load below acquires.
        if (word.CompareExchange(state, kEmpty, memory_order_relaxed, memory_order_relaxed)) {
          return Slept::kTimeOut;
        }
      }
      // acquire: pairs with the release in Wake().
    } while (word.Load(memory_order_acquire) == kAsleep);
  }
  return Awake(word);
}

Coordinator::Slept Coordinator::Vacate(std::uint32_t worker) noexcept {
  Atomic<std::uint32_t>& word = wakeups_[worker].word;
  std::uint32_t state = kEmpty;
  // release: pairs with the acquires in Wake() and TryTake(): the worker is complete. acquire:
  // pairs with the release in Wake(), when it has come first.
  if (word.CompareExchange(state, kVacantWorker, memory_order_acq_rel, memory_order_acquire)) {
    return Slept::kVacant;
  }
  return Awake(word);
}

Coordinator::Slept Coordinator::Awake(Atomic<std::uint32_t>& word) noexcept {
  // relaxed: no thread writes the word before we are in a set again, or all has ended.
  word.Store(kEmpty, memory_order_relaxed);
  // relaxed: ordered after the change of the state that came before Wake().
  return (state_.Load(memory_order_relaxed) & kEnded) == 0 ? Slept::kWoken : Slept::kEnded;
}

void Coordinator::WakeIdleWaiters() noexcept {
  // release: pairs with the acquire in WaitIdle().
  idle_epoch_.FetchAdd(1, memory_order_release);
  platform::FutexWake(idle_epoch_, platform::kWakeAll);
}

void Coordinator::SleepUntilAllIdle(std::uint32_t seen) noexcept {
  platform::FutexWait(idle_epoch_, seen);
}

}  // namespace schedbench::schedulers
