#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/futex.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Decides which thread polls, and ensures that one does. One thread at a time looks (polls without
// waiting) or waits. A scheduler that polls itself is a driver. If there is no driver, or if a
// driver's thread sleeps because the turn is taken (it is absent), the process's thread, the
// stand-in, waits.
//
//   a driver's thread   TryLook() .. Leave(), or TryWait() .. Leave(); if it cannot wait:
//                       BeginAbsence(), sleeps, EndAbsence()
//   the stand-in        Seen(), then while IsNeeded(): TryWait(), polls while IsNeeded(), Leave();
//                       otherwise AwaitCall(seen)
//
// A thread need not be absent if a thread of the same driver has the turn (IsTakenBy()): that
// thread will itself try to wait before it sleeps.
// (P1) While a thread is absent, a thread has the turn, or the stand-in is about to take it.
// BeginAbsence() counts the thread and then finds the turn taken; Leave() frees the turn and then
// checks for absent threads, all sequentially consistent. So the leaving thread sees the absent one
// and calls the stand-in. (P2) No call is lost: the stand-in reads the number of calls before it
// finds that it is not needed, or that the turn is taken, and sleeps while the number is unchanged.
// (P3) Without drivers, a thread that looks has the turn briefly, and the stand-in may find it
// taken. Leave() frees it and then loads the number of drivers. RemoveDriver() lowers that number
// and then calls. So Leave() calls, or it precedes a call of RemoveDriver().
class PollTurn {
 public:
  PollTurn() = default;

  PollTurn(const PollTurn&) = delete;
  PollTurn& operator=(const PollTurn&) = delete;

  // Takes the turn briefly. `by`: the driver, an address of at least 2-byte alignment. Any thread.
  bool TryLook(const void* by) noexcept {
    return TryTake(reinterpret_cast<std::uintptr_t>(by) | kLooks);
  }

  // Takes the turn for a wait. It spins while a thread looks, which is soon done. Any thread.
  bool TryWait(const void* by) noexcept {
    for (SpinWait spin; !TryTake(reinterpret_cast<std::uintptr_t>(by)); spin.Spin()) {
      // relaxed: a hint.
      const std::uintptr_t taken_by = turn_.Load(memory_order_relaxed);
      if (spin.Exhausted() || (taken_by != kFree && (taken_by & kLooks) == 0)) {
        return false;
      }
    }
    return true;
  }

  // Returns whether a thread has the turn with the same `by`, only for this moment. Any thread.
  bool IsTakenBy(const void* by) const noexcept {
    // relaxed: a thread of `by` returned it later, or still has it.
    return (turn_.Load(memory_order_relaxed) & ~kLooks) == reinterpret_cast<std::uintptr_t>(by);
  }

  // Frees the turn. The thread that has it calls this.
  void Leave() noexcept {
    // seq_cst: before the loads of absent_ and drivers_, pairs with BeginAbsence() and
    // RemoveDriver(); as a release it pairs with the acquire in TryTake().
    turn_.Store(kFree, memory_order_seq_cst);
    // seq_cst: pairs with the addition in BeginAbsence() and the subtraction in RemoveDriver().
    if (absent_.Load(memory_order_seq_cst) > 0 || drivers_.Load(memory_order_seq_cst) == 0) {
      Call();
    }
  }

  // Announces, after TryWait() has failed, that a driver's thread will sleep elsewhere. Returns
  // false if the turn is free, so that the thread may try again.
  [[nodiscard]] bool BeginAbsence() noexcept {
    // seq_cst: before the load of turn_, pairs with Leave().
    absent_.FetchAdd(1, memory_order_seq_cst);
    // seq_cst: pairs with the store in Leave().
    if (turn_.Load(memory_order_seq_cst) != kFree) {
      return true;
    }
    // relaxed: the thread tries again at once; the stand-in may poll once in vain.
    absent_.FetchSub(1, memory_order_relaxed);
    return false;
  }

  // Ends the absence. Returns whether it was the last one: then the stand-in may stop waiting.
  bool EndAbsence() noexcept {
    return absent_.FetchSub(1, memory_order_relaxed) == 1;
  }

  // Announces that a scheduler starts to poll itself. Any thread.
  void AddDriver() noexcept {
    drivers_.FetchAdd(1, memory_order_relaxed);
    Call();
  }
  // Ends the effect of AddDriver(). Any thread.
  void RemoveDriver() noexcept {
    // seq_cst: pairs with the load in Leave().
    drivers_.FetchSub(1, memory_order_seq_cst);
    Call();
  }

  // ---- The stand-in ----

  // Returns the argument of AwaitCall(). Call it before IsNeeded() and TryWait().
  std::uint32_t Seen() const noexcept {
    // acquire: pairs with the release in Call().
    return calls_.Load(memory_order_acquire);
  }

  // Returns whether no driver waits for events.
  bool IsNeeded() const noexcept {
    return drivers_.Load(memory_order_relaxed) == 0 || absent_.Load(memory_order_relaxed) > 0;
  }

  // Sleeps until the next call after Seen() returned `seen`.
  void AwaitCall(std::uint32_t seen) noexcept {
    platform::FutexWait(calls_, seen);
  }

  // Ends AwaitCall(). Any thread.
  void Call() noexcept {
    // release: pairs with the acquire in Seen().
    calls_.FetchAdd(1, memory_order_release);
    platform::FutexWake(calls_, 1);
  }

 private:
  static constexpr std::uintptr_t kFree = 0;
  static constexpr std::uintptr_t kLooks = 1;

  bool TryTake(std::uintptr_t as) noexcept {
    std::uintptr_t expected = kFree;
    // seq_cst: avoids an exchange that would fail; pairs with the store in Leave(), when no driver
    // was left. acquire: pairs with the store in Leave(). relaxed: a failed try reads nothing.
    return turn_.Load(memory_order_seq_cst) == kFree &&
           turn_.CompareExchange(expected, as, memory_order_acquire, memory_order_relaxed);
  }

  // The driver that has the turn, perhaps with kLooks; otherwise kFree.
  alignas(kCacheLine) Atomic<std::uintptr_t> turn_{kFree};
  // relaxed: the stand-in only learns whether to poll. Taking the turn orders what it then uses;
  // Call(), or the caller of EndAbsence(), makes it look again.
  Atomic<std::uint32_t> absent_{0};
  Atomic<std::uint32_t> drivers_{0};                    // relaxed: for the reason of absent_
  alignas(kCacheLine) Atomic<std::uint32_t> calls_{0};  // the futex word of the stand-in
};

}  // namespace schedbench::fibers
