#pragma once

#include "fibers/core/fiber_thread.hpp"

#include <cstdint>

// Marks a function that a signal may interrupt for another fiber, where the scheduler's config says preempt=signal and the
// function runs in a fiber for longer than `time_slice_ms`: a loop that computes. What the function calls is interrupted only if it
// is marked too, or if the compiler inlines it.
//
// So neither the function nor what is inlined into it may hold a lock or be in the middle of an operation of a lock, a channel, a
// fork or a thread-local variable: the next fiber on the thread may need the same one, and would wait forever or destroy its
// state. Call such things in functions of their own that are not marked and not inlined (gnu::noinline), or in a NoPreempt scope.
// PreemptPoint() and Yield() are safe, and so are functions of other libraries, but not ones that call the function back (qsort).
//
// A signal also ends some system calls of unmarked code early (EINTR of poll, nanosleep): the kernel does not restart these. Calls
// in Blocking() and Syscall() get no signal.
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
