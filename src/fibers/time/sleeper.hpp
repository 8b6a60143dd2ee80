#pragma once

#include "base/atomic.hpp"
#include "fibers/core/handle.hpp"
#include "fibers/time/deadline.hpp"
#include "fibers/time/timer_heap.hpp"

#include <cstdint>
#include <utility>

namespace schedbench::fibers {

class TimerQueue;

// A suspended fiber that several threads may resume, one of them by a deadline. The one that takes
// the claim resumes it. It lies on the fiber's stack and allocates nothing.
//
//   the fiber       makes it, puts it where finders can see it, and suspends
//   after its switch, still under the finders' lock: Begin(handle), which starts the timer; unlock
//   a finder        under that lock: TryClaim(number > 0), and if that succeeds, later, Resume()
//   the fiber       after its resumption, first: End(), which returns the claimant, stops the timer
//
// (I1) From Begin() to End() the fiber is suspended or about to call End(). So the object lives as
// long as a thread that found it under the lock holds the lock: a fiber whose deadline passed takes
// that lock to leave the list. (I2) A thread without the claim does not touch the object once the
// lock is free. A timer queue claims under its own lock, and End() takes that lock unless the
// deadline has the claim: no thread reads the object after End().
class Sleeper : private TimerNode {
 public:
  // Values of the claim; users choose all other numbers.
  static constexpr std::uint32_t kUnclaimed = 0;
  static constexpr std::uint32_t kDeadline = 0xffffffff;

  // Makes a sleeper that a timer queue claims at `deadline`, from Begin() on.
  explicit Sleeper(Deadline deadline) noexcept {
    due_ns = deadline.Ns();
  }

  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  // Keeps `fiber`, which has suspended, and starts the timer. On return the object may no longer
  // exist, unless a lock stops the fiber.
  void Begin(FiberHandle fiber) noexcept;

  // Takes the claim for `by`, not 0; false if it is taken. Only for finders under the lock.
  bool TryClaim(std::uint32_t by) noexcept {
    std::uint32_t expected = kUnclaimed;
    return claim_.CompareExchange(expected, by, memory_order_relaxed, memory_order_relaxed);
  }

  // Returns whether the claim is taken. A hint, but once true it stays true.
  bool IsClaimed() const noexcept {
    return claim_.Load(memory_order_relaxed) != kUnclaimed;
  }

  // Resumes the fiber. Only the claimant calls it. On return the object may no longer exist.
  void Resume(executors::SchedulerHint hint = executors::SchedulerHint::UpToYou) noexcept {
    fiber_.Schedule(hint);
  }

  // Returns the fiber's handle for another way to resume it. Only the claimant calls it.
  FiberHandle Release() noexcept {
    return std::move(fiber_);
  }

  // Stops the timer and returns the number that has the claim: kDeadline if the deadline passed.
  // The resumed fiber calls it first of all.
  std::uint32_t End() noexcept;

  // Returns the deadline of the constructor.
  Deadline Until() const noexcept {
    return Deadline::At(due_ns);
  }

  // Returns the address of the handle for Suspend(): reports see by it if the fiber is ready.
  const FiberHandle* Handle() const noexcept {
    return &fiber_;
  }

 private:
  friend class TimerQueue;

  // relaxed: decides which thread gets the claim, and orders nothing: the object was found under a
  // lock, and Schedule() orders what is handed over.
  Atomic<std::uint32_t> claim_{kUnclaimed};
  FiberHandle fiber_;
  TimerQueue* queue_ = nullptr;  // the queue of its timer; set in Begin()
  Sleeper* next_due_ = nullptr;  // the next timer that the deadline claimed in the same batch
};

}  // namespace schedbench::fibers
