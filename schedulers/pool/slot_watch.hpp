#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/cell.hpp"
#include "platform/threads/asymmetric_fence.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace schedbench::schedulers {

// The watch over the LIFO slots: one of the idle workers sleeps with a time limit, and checks from
// time to time for a task that waits in a slot because the running task of its worker does not end.
// While no worker runs tasks, the watch rests. README.md, "The watch over slots", has the protocol.
class SlotWatch {
 public:
  // The first and the longest period between two checks; it doubles while nothing is found. The
  // first is a few times what a futex wake takes: checks cost an idle CPU little. Arbitrary.
  static constexpr std::chrono::nanoseconds kFirstPeriod = std::chrono::microseconds(50);
  static constexpr std::chrono::nanoseconds kLongestPeriod = std::chrono::milliseconds(1);

  explicit SlotWatch(std::uint32_t workers)
      : looks_(workers) {
  }

  // ---- Any worker ----

  // Called after a put into the caller's slot. True: call Notify(), because the watch rests.
  SB_ALWAYS_INLINE bool MustNotify() noexcept {
    // Pairs with the heavy fence in Rest(): if Rest()'s caller misses the put, this sees kResting.
    platform::LightFence();
    return IsResting() && EndRest();
  }

  // Returns whether all workers were idle when the last watch ended, with no put into a slot since.
  SB_ALWAYS_INLINE bool IsResting() const noexcept {
    return state_.Load(memory_order_relaxed) == State::kResting;
  }

  // Returns whether the last watch has ended and no other has begun.
  bool IsMissing() const noexcept {
    // relaxed: a worker that ends its watch calls this itself, when it has found work.
    return state_.Load(memory_order_relaxed) == State::kMissing;
  }

  // Makes the caller, which is idle, the worker that watches. False: another worker watches.
  bool TryBegin() noexcept {
    State state = state_.Load(memory_order_relaxed);
    while (state != State::kWatched) {
      // acquire: pairs with the releases in Rest() and End(): looks_ is ours. relaxed: we retry.
      if (state_.CompareExchangeWeak(state, State::kWatched, memory_order_acquire,
                                     memory_order_relaxed)) {
        for (Cell<Seen>& look : looks_) {
          look.Write({});
        }
        return true;
      }
    }
    return false;
  }

  // ---- The worker that watches ----

  // Ends the watch, because no worker runs a task. The caller then checks that again.
  void Rest() noexcept {
    // release: pairs with the acquire in TryBegin().
    state_.Store(State::kResting, memory_order_release);
    platform::HeavyFence();  // see MustNotify()
  }

  // Ends the watch, because the caller has work.
  void End() noexcept {
    // release: pairs with the acquire in TryBegin().
    state_.Store(State::kMissing, memory_order_release);
  }

  // The result of a check of a worker.
  enum class Finding : std::uint8_t {
    kFine,
    kCrowded,  // a task waited at each of the last kCrowdedLooks checks
    kStuck,    // a task waited at the check before too, and the worker has run no other since
  };

  // Checks a worker. `waits`: its slot holds a task. `tasks_run`: number of tasks that it has run.
  Finding Look(std::uint32_t worker, bool waits, std::uint64_t tasks_run) noexcept {
    const Seen before = looks_[worker].Read();
    const bool is_stuck = waits && before.in_a_row > 0 && before.tasks_run == tasks_run;
    const std::uint32_t in_a_row = waits ? before.in_a_row + 1 : 0;
    const bool is_crowded = !is_stuck && in_a_row >= kCrowdedLooks;
    // After kCrowded this check counts: the task may be stuck at the next one.
    looks_[worker].Write({.in_a_row = is_crowded ? 1 : in_a_row, .tasks_run = tasks_run});
    if (is_stuck) {
      return Finding::kStuck;
    }
    return is_crowded ? Finding::kCrowded : Finding::kFine;
  }

 private:
  // With fewer checks the slot of a ping-pong is found crowded by chance. Arbitrary.
  static constexpr std::uint32_t kCrowdedLooks = 4;

  enum class State : std::uint32_t {
    kMissing,  // no worker watches
    kWatched,  // one of the idle workers watches
    kResting,  // no worker watches, because all were idle
  };

  SB_NOINLINE bool EndRest() noexcept {
    State resting = State::kResting;
    // relaxed: TryBegin() acquires from Rest(), whose release this read-modify-write continues.
    return state_.CompareExchange(resting, State::kMissing, memory_order_relaxed,
                                  memory_order_relaxed);
  }

  struct Seen {
    std::uint32_t in_a_row = 0;  // number of successive checks at which a task waited
    std::uint64_t tasks_run = 0;
  };

  // Read at each put into a slot. Written when a watch begins or ends: at most twice per sleep.
  // relaxed: the fences order it, see MustNotify(), and an exchange checks what was read.
  alignas(kCacheLine) Atomic<State> state_{State::kMissing};
  std::vector<Cell<Seen>> looks_;  // belongs to the worker that watches
};

}  // namespace schedbench::schedulers
