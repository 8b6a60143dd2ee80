#pragma once

#include "base/atomic.hpp"
#include "fibers/core/handle.hpp"
#include "fibers/core/waiting.hpp"
#include "fibers/time/deadline.hpp"

#include <cstdint>

namespace schedbench::fibers {

class StackPool;

// One direction of a descriptor: whether it may be ready, and its waiter. README.md has the states,
// the protocol and the proof. Lock-free, allocates nothing. The one word holds kNil, kReady,
// kClosed, or the address of the waiter. (I1) A slot has at most one waiter. (I2) The thread that
// replaces the address owns the waiter; no other thread reads it from then on. (I3) A waiter ends
// its wait only when no other thread will touch it. (I4) kReady is a hint to try the system call:
// it is set once for each event and taken once.
class ReadySlot {
 public:
  enum class Outcome : std::uint8_t {
    kReady,    // the system call is worth another try
    kClosed,   // Close() was called
    kTimeout,  // the deadline has passed
  };

  ReadySlot() = default;

  ReadySlot(const ReadySlot&) = delete;
  ReadySlot& operator=(const ReadySlot&) = delete;

  // Waits for a NotifyReady() that ended no other wait, for Close(), or until `deadline`. Suspends
  // a fiber, blocks a thread. Requires: nothing else waits here (WaitTurn).
  Outcome Wait(Deadline deadline, Waiting waiting) noexcept;

  // Reports an event. Returns a fiber that the caller must resume, or wakes a thread. Any thread.
  FiberHandle NotifyReady() noexcept {
    return Wake(kReady);
  }

  // Ends the wait and all later ones. Returns a fiber like NotifyReady(). Any thread.
  FiberHandle Close() noexcept {
    return Wake(kClosed);
  }

  // Resets the slot. Requires: no other thread uses it.
  void Open() noexcept {
    // relaxed: the caller orders it before all uses.
    word_.Store(kNil, memory_order_relaxed);
  }

  // Drops the waiter if it lies on a stack of `pool`, so it is never resumed. Any thread.
  void Forget(const StackPool& pool) noexcept;

 private:
  struct Waiter;

  static constexpr std::uintptr_t kNil = 0;
  static constexpr std::uintptr_t kReady = 1;
  static constexpr std::uintptr_t kClosed = 2;

  static bool IsWaiter(std::uintptr_t word) noexcept {
    return word > kClosed;
  }

  FiberHandle Wake(std::uintptr_t reason) noexcept;
  static FiberHandle Take(Waiter& waiter) noexcept;
  bool TryEnter(Waiter& waiter) noexcept;
  bool TryTakeEvent(std::uintptr_t& word) noexcept;
  bool TryLeave(Waiter& waiter) noexcept;
  Outcome WaitOnFiber(Waiting waiting) noexcept;
  Outcome WaitOnFiberUntil(Deadline deadline, Waiting waiting) noexcept;
  Outcome WaitOnThread(Deadline deadline, Waiting waiting) noexcept;
  Outcome AfterWake() const noexcept;

  Atomic<std::uintptr_t> word_{kNil};  // relaxed: only the word is used, and an exchange checks it
};

}  // namespace schedbench::fibers
