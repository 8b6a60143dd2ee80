#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/futex.hpp"

#include <cstdint>

namespace schedbench::fibers {

// Which thread polls, and that there is one. One thread at a time looks (without waiting) or waits. Schedulers that
// poll by themselves are drivers. Where there is none, or where a thread of a driver sleeps because it found the turn
// taken (it is absent), the thread of the process waits: it stands in.
//
//   a driver's thread   TryLook() .. Leave(), or TryWait() .. Leave(); where it cannot wait: BeginAbsence(),
//                       sleeps, EndAbsence()
//   the stand-in        Seen(), then while IsNeeded(): TryWait(), polls while IsNeeded(), Leave(); else AwaitCall(seen)
//
// A thread need not be absent if a thread has the turn that will itself try to wait before it sleeps: IsTakenBy() the
// same driver.
//
// (P1) While a thread is absent, a thread has the turn, or the stand-in is about to take it. BeginAbsence() counts the
// thread and then finds the turn taken; Leave() gives the turn back and then looks for absent threads, all sequentially
// consistent: so the one that leaves sees that one is absent, and calls the stand-in. (P2) No call is lost: the
// stand-in reads the number of calls before it finds that it is not needed, or that the turn is taken, and sleeps while
// the number is the same. (P3) Where no driver is left, a thread that looks has the turn for a moment, and the stand-in
// may find it taken. Leave() gives it back and then loads the number of drivers. RemoveDriver() lowers that number and
// then calls. So Leave() calls, or it comes before a call of RemoveDriver().
class PollTurn {
 public:
  PollTurn() = default;

  PollTurn(const PollTurn&) = delete;
  PollTurn& operator=(const PollTurn&) = delete;

  // Takes the turn for a moment. `by`: the driver, an address of at least 2-byte alignment. Any thread.
  bool TryLook(const void* by) noexcept {
    return TryTake(reinterpret_cast<std::uintptr_t>(by) | kLooks);
  }

  // Takes the turn for longer. Any thread; one that looks is done soon, so that this one spins for a moment.
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

  // Whether a thread has the turn that took it with the same `by`. Any thread; of one moment.
  bool IsTakenBy(const void* by) const noexcept {
    // relaxed: a thread of `by` gave it back later, or has it still.
    return (turn_.Load(memory_order_relaxed) & ~kLooks) == reinterpret_cast<std::uintptr_t>(by);
  }

  // Gives it back. By the thread that has it.
  void Leave() noexcept {
    // seq_cst: before the loads of absent_ and drivers_, pairs with BeginAbsence() and RemoveDriver(); and release:
    // pairs with the acquire in TryTake().
    turn_.Store(kFree, memory_order_seq_cst);
    // seq_cst: pairs with the addition in BeginAbsence(), and with the subtraction in RemoveDriver().
    if (absent_.Load(memory_order_seq_cst) > 0 || drivers_.Load(memory_order_seq_cst) == 0) {
      Call();
    }
  }

  // A thread of a driver is about to sleep elsewhere, as TryWait() has failed. False: the turn is free, and it may try
  // again.
  [[nodiscard]] bool BeginAbsence() noexcept {
    // seq_cst: before the load of turn_, pairs with Leave().
    absent_.FetchAdd(1, memory_order_seq_cst);
    // seq_cst: pairs with the store in Leave().
    if (turn_.Load(memory_order_seq_cst) != kFree) {
      return true;
    }
    absent_.FetchSub(1,
                     memory_order_relaxed);  // relaxed: the stand-in looks again when it is called
    return false;
  }

  // It is awake again. Returns whether it was the last: the stand-in, if it waits, need not any more.
  bool EndAbsence() noexcept {
    // release: pairs with the acquire in IsNeeded().
    return absent_.FetchSub(1, memory_order_release) == 1;
  }

  // A scheduler begins to poll by itself. Any thread.
  void AddDriver() noexcept {
    // release: pairs with the acquire in IsNeeded().
    drivers_.FetchAdd(1, memory_order_release);
    Call();
  }
  // Ends what AddDriver() began. Any thread.
  void RemoveDriver() noexcept {
    // seq_cst: pairs with the load in Leave(); and release: pairs with the acquire in IsNeeded().
    drivers_.FetchSub(1, memory_order_seq_cst);
    Call();
  }

  // ---- The stand-in ----

  // Returns what AwaitCall() needs. Before IsNeeded() and TryWait().
  std::uint32_t Seen() const noexcept {
    // acquire: pairs with the release in Call().
    return calls_.Load(memory_order_acquire);
  }

  // Whether no driver waits for events.
  bool IsNeeded() const noexcept {
    // acquire: pairs with the releases in AddDriver(), RemoveDriver() and EndAbsence().
    return drivers_.Load(memory_order_acquire) == 0 || absent_.Load(memory_order_acquire) > 0;
  }

  // Sleeps until the next call after Seen() has returned `seen`.
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
    // seq_cst: spares an exchange that would fail; pairs with the store in Leave(), before which no driver was left.
    // acquire: pairs with the store in Leave().
    return turn_.Load(memory_order_seq_cst) == kFree &&
           turn_.CompareExchange(expected, as, memory_order_acquire, memory_order_relaxed);
  }

  // The driver that has it, with kLooks.
  alignas(kCacheLine) Atomic<std::uintptr_t> turn_{kFree};
  Atomic<std::uint32_t> absent_{0};
  Atomic<std::uint32_t> drivers_{0};
  alignas(kCacheLine) Atomic<std::uint32_t> calls_{0};  // the futex word of the stand-in
};

}  // namespace schedbench::fibers
