#pragma once

#include "base/assert.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_thread.hpp"

#include <cstdint>

// Marks a function that a signal may interrupt for another fiber, where the scheduler's config says preempt=signal and the
// function runs in a fiber for longer than `time_slice_ms`: a loop that computes. Not one that holds a lock of the operating
// system, or that is called by a library (qsort): there use NoPreempt. What the function calls is interrupted only if it is marked
// too, or inlined.
//
//   SCHEDBENCH_PREEMPTIBLE double Sum(std::span<const double> numbers) { ... }
#define SCHEDBENCH_PREEMPTIBLE [[gnu::section("schedbench_preemptible"), gnu::noinline]]

namespace schedbench::fibers {

// Yields if the time slice of the running fiber is over: where the scheduler's config says preempt=coop, after `time_slice_ms`.
// For loops that run for long without a call that can wait. Go() and Spawn() are preemption points too. Costs a nanosecond.
// Any thread; no effect outside of fibers.
inline void PreemptPoint() noexcept {
  FiberThread::PreemptPoint();
}

// From construction to the end of the scope the fiber is not preempted: it yields only where it waits or calls Yield(). For code
// that holds a lock of the operating system. Nests. Requires: both ends in the same fiber. No effect outside of fibers.
class NoPreempt {
 public:
  // Begins the scope.
  NoPreempt() noexcept
      : count_(CountOfFiber()) {
    if (count_ != nullptr) {
      ++*count_;
    }
  }

  ~NoPreempt() {
    if (count_ != nullptr) {
      --*count_;
    }
  }

  NoPreempt(const NoPreempt&) = delete;
  NoPreempt& operator=(const NoPreempt&) = delete;

 private:
  static std::uint32_t* CountOfFiber() noexcept {
    FiberThread* const current = FiberThread::CurrentOrNull();
    const bool in_fiber = current != nullptr && current->Served() != nullptr &&
                          current->Served()->CurrentFiber() != nullptr;
    return in_fiber ? &current->Running().no_preempt : nullptr;
  }

  std::uint32_t* const count_;  // on the fiber's stack, which stays the same
};

}  // namespace schedbench::fibers
