#pragma once

#include "fibers/core/fiber_thread.hpp"

#include <cstdint>

// Marks a function that a signal may interrupt for another fiber, if the scheduler's config has
// preempt=signal and the function runs in a fiber for longer than `time_slice_ms`: a loop that
// computes. Functions that it calls are interrupted only if they are marked too, or inlined.
//
// So neither the function nor its inlined code may hold a lock or be in the middle of an operation
// of a lock, a channel, a fork or a thread-local variable: the next fiber on the thread may need
// the same object, and would wait forever or destroy its state. Put such code into functions that
// are not marked and not inlined (gnu::noinline), or into a NoPreempt scope. PreemptPoint() and
// Yield() are safe, and so are other libraries' functions, unless they call back (qsort).
//
// A signal also ends some system calls of unmarked code early (EINTR of poll, nanosleep): the
// kernel does not restart these. Calls in Blocking() and Syscall() do not get a signal.
//
//   SCHEDBENCH_PREEMPTIBLE double Sum(std::span<const double> numbers) { ... }
#define SCHEDBENCH_PREEMPTIBLE [[gnu::section("schedbench_preemptible"), gnu::noinline]]

namespace schedbench::fibers {

// Yields if the scheduler's config has preempt=coop and the running fiber's time slice,
// `time_slice_ms`, is over. For long loops without a call that can wait; Go() and Spawn() are
// preemption points too. It costs a nanosecond. Any thread; no effect outside of fibers.
inline void PreemptPoint() noexcept {
  FiberThread::PreemptPoint();
}

// Prevents preemption from construction to the end of the scope: the fiber yields only where it
// waits or calls Yield(). For code that holds a lock of the operating system. Scopes nest.
// Requires: both ends in the same fiber. No effect outside of fibers.
class NoPreempt {
 public:
  // Starts the scope.
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
