#pragma once

#include "base/atomic.hpp"
#include "fibers/core/handle.hpp"
#include "fibers/time/deadline.hpp"
#include "fibers/time/timer_heap.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::fibers {

class TimerQueue;

// A suspended fiber that several may resume, a deadline among them: exactly one does, the one that takes the claim.
// Lies on the fiber's stack; allocates nothing.
//
//   the fiber       makes it, puts it where others find it, and suspends
//   after the switch, under the lock under which others find it: Begin(handle), which starts the timer, and unlock
//   a finder        under that lock: TryClaim(number > 0), and if that succeeds, later, Resume()
//   the fiber       resumes, and before anything else: End(), which returns the claimant and stops the timer
//
// (I1) From Begin() to End() the fiber is suspended or about to call End(): the object lives as long as a thread that found it
// under the lock holds the lock, because a fiber whose time ran out takes that lock to leave the list. (I2) A thread without
// the claim does not touch the object once the lock is free. A timer queue claims under its own lock, and End() takes that one
// unless the claim was the deadline's: no thread reads the object after End().
class Sleeper : private TimerNode {
 public:
  // Takers of the claim; all other numbers are for the user to give.
  static constexpr std::uint32_t kUnclaimed = 0;
  static constexpr std::uint32_t kDeadline = 0xffffffff;

  // Makes a sleeper that a timer queue claims at `deadline`, from Begin() on.
  explicit Sleeper(Deadline deadline) noexcept {
    due_ns = deadline.Ns();
  }

  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  // Keeps `fiber`, which has suspended, and starts the timer. On return the object may no longer exist, unless a lock
  // stops the fiber.
  void Begin(FiberHandle fiber) noexcept;

  // Takes the claim for `by`, which is not 0; false if it has been taken. Any thread that found the
  // object under its lock.
  bool TryClaim(std::uint32_t by) noexcept {
    std::uint32_t expected = kUnclaimed;
    // relaxed: decides which thread gets the claim, and orders nothing: the object was found under a lock, and what is handed
    // over is ordered by Schedule().
    return claim_.CompareExchange(expected, by, memory_order_relaxed, memory_order_relaxed);
  }

  // Whether the claim has been taken. Only a hint, but once true it stays true.
  bool IsClaimed() const noexcept {
    // relaxed: as above.
    return claim_.Load(memory_order_relaxed) != kUnclaimed;
  }

  // Resumes the fiber. By the thread that has the claim. On return the object may no longer exist.
  void Resume(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    fiber_.Schedule(hint);
  }

  // Returns the fiber's handle, for a caller that resumes it in another way. By the thread that has the claim.
  FiberHandle Release() noexcept {
    return std::move(fiber_);
  }

  // Stops the timer, and returns the number that has the claim: kDeadline if the time ran out. By the fiber, first thing
  // after it was resumed.
  std::uint32_t End() noexcept;

  // The deadline that it was made with.
  Deadline Until() const noexcept {
    return Deadline::At(due_ns);
  }

  // Returns where the handle is, for Suspend(): with it reports see whether the fiber has been made ready.
  const FiberHandle* Handle() const noexcept {
    return &fiber_;
  }

 private:
  friend class TimerQueue;

  Atomic<std::uint32_t> claim_{kUnclaimed};
  FiberHandle fiber_;
  TimerQueue* queue_ = nullptr;  // that had its timer; set in Begin()
  Sleeper* next_due_ = nullptr;  // of the thread that took the claim for the deadline
};

}  // namespace schedbench::fibers
