#pragma once

#include "base/attributes.hpp"
#include "fibers/core/machine_context.hpp"
#include "fibers/core/sanitizer_context.hpp"

#include <cxxabi.h>

namespace schedbench::fibers {

class FiberThread;

// What the C++ runtime keeps per thread about exceptions in flight: the stack of caught exceptions and the
// number of uncaught ones (Itanium C++ ABI, 2.2.2). It belongs to the call stack, not to the thread: a
// fiber that suspends inside a catch block takes it along, else `throw;` in another fiber would rethrow
// the wrong exception. Boost.Context 1.81 does not switch it.
struct ExceptionsContext {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  // The calling thread's own; the address stays the same as long as the thread lives.
  static ExceptionsContext* OfThread() noexcept {
    return reinterpret_cast<ExceptionsContext*>(abi::__cxa_get_globals());
  }
};

// Execution context = machine context + sanitizer context + exceptions context: all that must change hands
// when a thread leaves one call stack for another. Saved while the stack is not running.
struct ExecutionContext {
  MachineContext machine;
  ExceptionsContext exceptions;
  [[no_unique_address]] SanitizerContext sanitizer;
};

// Runs on the stack that is entered, once the stack that was left is saved as a whole. Only then may other threads get the
// left one: earlier, one could resume it while it still runs.
using AfterSwitch = void (*)(void* argument, FiberThread& fiber_thread);

// What the stack that is entered needs to complete the switch. Lies on the stack that is left.
struct SwitchMessage {
  ExecutionContext* from;
  ExecutionContext* to;
  ExceptionsContext* thread_exceptions;
  FiberThread* fiber_thread;
  AfterSwitch then;
  void* argument;
};

// Completes a switch on the entered stack. Returns the FiberThread that runs it now, which may be
// another than the one that ran it before: nothing that was read from a thread may be used after this.
SB_ALWAYS_INLINE FiberThread& Arrive(void* sent) noexcept {
  // A copy: as soon as `then` hands the left stack on, it may run elsewhere and end.
  const SwitchMessage message = *static_cast<const SwitchMessage*>(sent);
  message.to->sanitizer.After(message.from->sanitizer);
  *message.thread_exceptions = message.to->exceptions;
  message.then(message.argument, *message.fiber_thread);
  return *message.fiber_thread;
}

// Leaves the running stack, whose context goes to `from`, for `to`; runs `then(argument)` there. Returns
// when a thread switches back to `from`, with the fiber thread that did.
// Every switch of the project goes through here. Requires: `thread_exceptions` is the calling thread's.
SB_ALWAYS_INLINE FiberThread& Switch(ExecutionContext& from, ExecutionContext& to,
                                     ExceptionsContext* thread_exceptions,
                                     FiberThread& fiber_thread, AfterSwitch then,
                                     void* argument) noexcept {
  from.exceptions = *thread_exceptions;
  SwitchMessage message{.from = &from,
                        .to = &to,
                        .thread_exceptions = thread_exceptions,
                        .fiber_thread = &fiber_thread,
                        .then = then,
                        .argument = argument};
  from.sanitizer.Before(to.sanitizer);
  return Arrive(MachineContext::Switch(from.machine, to.machine, &message));
}

}  // namespace schedbench::fibers
