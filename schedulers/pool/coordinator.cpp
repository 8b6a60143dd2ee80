#include "schedulers/pool/coordinator.hpp"

#include "platform/threads/futex.hpp"

#include <bit>

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

Coordinator::Coordinator(std::uint32_t workers, std::uint32_t max_searching) noexcept
    : all_idle_(Bit(workers) - 1),
      max_searching_(max_searching),
      active_(all_idle_) {
  SB_ASSERT(workers >= 1 && workers <= kMaxWorkers, "the state word has 48 idle bits");
}

bool Coordinator::WakeOne() noexcept {
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  while (const std::uint64_t wakeable = Wakeable(state)) {
    // The lowest index: the same few workers stay warm under light load, the others sleep undisturbed.
    const auto worker = static_cast<std::uint32_t>(std::countr_zero(wakeable));
    // (C) relaxed: of the changes of the word only their order counts; what was published before is ordered by
    // the fences (N), (F) and (P). On failure we look again.
    if (state_.CompareExchangeWeak(state, (state & ~Bit(worker)) + kOneSearching,
                                   memory_order_relaxed, memory_order_relaxed)) {
      Wake(worker);
      return true;
    }
  }
  return false;
}

Coordinator::Notified Coordinator::NotifyMany(std::uint64_t count) noexcept {
  // seq_cst (N): pairs with (P) and (F), as in Notify().
  AtomicFence(memory_order_seq_cst);
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  for (;;) {
    const std::uint64_t searching = (state & kSearchingMask) >> kSearchingShift;
    const std::uint64_t idle = ActiveIdle(state);
    if (idle == 0 || (state & kEnded) != 0 || searching >= count) {
      return {.woken = 0, .searched = searching >= count};
    }
    std::uint64_t left = idle;
    for (std::uint64_t woken = 0; left != 0 && searching + woken < count; ++woken) {
      left &= left - 1;  // the lowest first, as in WakeOne()
    }
    if (TryClaim(state, idle & ~left)) {
      return {.woken = static_cast<std::uint32_t>(std::popcount(idle & ~left)), .searched = false};
    }
  }
}

bool Coordinator::TryClaim(std::uint64_t& state, std::uint64_t idle) noexcept {
  const auto searching = static_cast<std::uint64_t>(std::popcount(idle)) * kOneSearching;
  // relaxed: as (C). On failure the caller looks again.
  if (!state_.CompareExchangeWeak(state, (state & ~idle) + searching, memory_order_relaxed,
                                  memory_order_relaxed)) {
    return false;
  }
  WakeAll(idle);
  return true;
}

Coordinator::Notified Coordinator::NotifyAll() noexcept {
  // seq_cst (N): pairs with (P) and (F), as in Notify().
  AtomicFence(memory_order_seq_cst);
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  for (std::uint64_t idle = ActiveIdle(state); idle != 0 && (state & kEnded) == 0;
       idle = ActiveIdle(state)) {
    if (TryClaim(state, idle)) {
      return {.woken = static_cast<std::uint32_t>(std::popcount(idle)), .searched = false};
    }
  }
  return {.woken = 0, .searched = false};
}

void Coordinator::Wake(std::uint32_t worker) noexcept {
  Atomic<std::uint32_t>& word = wakeups_[worker].word;
  // release: pairs with the acquire in Park().
  if (word.Exchange(kWoken, memory_order_release) == kAsleep) {
    platform::FutexWake(word, 1);
  }
}

void Coordinator::SetActive(std::uint32_t count, std::uint32_t max_searching) noexcept {
  SB_ASSERT(count >= 1 && Bit(count) - 1 <= all_idle_, "no more than there are");
  // relaxed: as IsActive() and ActiveIdle() say. No other thread writes them.
  max_searching_.Store(max_searching, memory_order_relaxed);
  const std::uint64_t before = active_.Load(memory_order_relaxed);
  const std::uint64_t raised = (Bit(count) - 1) & ~before;
  active_.Store(Bit(count) - 1, memory_order_relaxed);
  // seq_cst (R): pairs with (A) in AnnounceInactive(). A publisher that has not seen the new value has published before the
  // workers that we wake recheck the queues: they have seen the value, so that the publisher's fence (N) comes before theirs.
  AtomicFence(memory_order_seq_cst);
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  while ((state & raised) != 0 && (state & kEnded) == 0 && !TryClaim(state, state & raised)) {
  }
}

std::uint32_t Coordinator::Active() const noexcept {
  // relaxed: a number, and nothing that depends on it.
  return static_cast<std::uint32_t>(std::popcount(active_.Load(memory_order_relaxed)));
}

Coordinator::Workers Coordinator::Count() const noexcept {
  // relaxed: for reports.
  const std::uint64_t state = state_.Load(memory_order_relaxed);
  return {.active = Active(),
          .searching = static_cast<std::uint32_t>((state & kSearchingMask) >> kSearchingShift),
          .idle = static_cast<std::uint32_t>(std::popcount(ActiveIdle(state)))};
}

void Coordinator::RequestStop() noexcept {
  // relaxed: as (C); a worker that announces later sees the flag.
  state_.FetchOr(kStop, memory_order_relaxed);
  // It rechecks and announces anew. Workers that run or search now do so anyway.
  WakeOne();
}

bool Coordinator::TryBeginSearch() noexcept {
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  // relaxed: a limit, not a promise.
  const std::uint32_t most = max_searching_.Load(memory_order_relaxed);
  while ((state & kSearchingMask) >> kSearchingShift < most) {
    // relaxed: as (C). On failure we look again.
    if (state_.CompareExchangeWeak(state, state + kOneSearching, memory_order_relaxed,
                                   memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

bool Coordinator::EndSearch() noexcept {
  // relaxed: as (C).
  const std::uint64_t before = state_.FetchSub(kOneSearching, memory_order_relaxed);
  if ((before & kSearchingMask) != kOneSearching) {
    return false;
  }
  // seq_cst (F): pairs with (N): a publisher that saw us searching and woke no worker has published before our recheck.
  AtomicFence(memory_order_seq_cst);
  return true;
}

Coordinator::Announcement Coordinator::AnnouncePark(std::uint32_t worker, bool searching) noexcept {
  const std::uint64_t change = Bit(worker) - (searching ? kOneSearching : 0);
  // acq_rel (P): release pairs with (W), acquire with the (P) of others: with our bit, the last one, what they have
  // completed is passed on too.
  const std::uint64_t state = state_.FetchAdd(change, memory_order_acq_rel) + change;
  if ((state & kIdleMask) == all_idle_ && (state & kWaitersMask) != 0) {
    WakeIdleWaiters();
  }
  const bool recheck = (state & kSearchingMask) == 0;
  if (recheck) {
    // seq_cst (P): pairs with (N): either the publisher sees our idle bit, or we see the work.
    AtomicFence(memory_order_seq_cst);
  }
  const bool last = (state & kStop) != 0 && (state & kIdleMask) == all_idle_;
  return {.recheck = recheck, .last = last || (state & kEnded) != 0};
}

Coordinator::Announcement Coordinator::AnnounceInactive(std::uint32_t worker,
                                                        bool searching) noexcept {
  const Announcement announcement = AnnouncePark(worker, searching);
  // seq_cst (A): pairs with (R): either SetActive() sees our idle bit, and wakes us, or we see that we are active.
  AtomicFence(memory_order_seq_cst);
  return announcement;
}

bool Coordinator::CancelPark(std::uint32_t worker) noexcept {
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  while ((state & Bit(worker)) != 0) {
    // relaxed: as (C). On failure we look again.
    if (state_.CompareExchangeWeak(state, (state & ~Bit(worker)) + kOneSearching,
                                   memory_order_relaxed, memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

bool Coordinator::TryEnd(std::uint32_t worker) noexcept {
  // relaxed: the exchange checks it.
  std::uint64_t state = state_.Load(memory_order_relaxed);
  do {
    if ((state & kEnded) != 0) {
      return true;
    }
    if ((state & kIdleMask) != all_idle_) {
      return false;
    }
    // relaxed: as (C). On failure we look again.
  } while (!state_.CompareExchangeWeak(state, state | kEnded, memory_order_relaxed,
                                       memory_order_relaxed));
  WakeAll(all_idle_ & ~Bit(worker));
  return true;
}

void Coordinator::Abandon() noexcept {
  // relaxed: as (C); a worker that announces later sees the flag.
  WakeAll(state_.FetchOr(kStop | kEnded, memory_order_relaxed) & kIdleMask);
}

void Coordinator::WakeAll(std::uint64_t workers) noexcept {
  for (; workers != 0; workers &= workers - 1) {
    Wake(static_cast<std::uint32_t>(std::countr_zero(workers)));
  }
}

Coordinator::Slept Coordinator::Park(std::uint32_t worker,
                                     std::chrono::nanoseconds limit) noexcept {
  Atomic<std::uint32_t>& word = wakeups_[worker].word;
  std::uint32_t state = kEmpty;
  // acquire: pairs with the release in Wake(), when it has come first (the exchange fails and reads it). On success
  // we have read nothing; g++ accepts no weaker order there than on failure.
  if (word.CompareExchange(state, kAsleep, memory_order_acquire, memory_order_acquire)) {
    do {
      if (!SleepOn(word, kAsleep, limit)) {
        state = kAsleep;
        // acquire: pairs with the release in Wake(), when it has come first. On success we have read nothing.
        if (word.CompareExchange(state, kEmpty, memory_order_acquire, memory_order_acquire)) {
          return Slept::kTimeOut;
        }
      }
      // acquire: pairs with the release in Wake().
    } while (word.Load(memory_order_acquire) == kAsleep);
  }
  // relaxed: no thread writes the word before we set our idle bit again.
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
