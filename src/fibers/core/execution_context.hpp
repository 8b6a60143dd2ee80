#pragma once

#include "base/attributes.hpp"
#include "fibers/core/machine_context.hpp"
#include "fibers/core/sanitizer_context.hpp"

#include <cxxabi.h>

namespace schedbench::fibers {

class FiberThread;

// The state of the C++ runtime for exceptions in flight: the stack of caught exceptions and the
// number of uncaught ones (Itanium C++ ABI, 2.2.2). It belongs to the call stack and not to the
// thread: a fiber that suspends inside a catch block takes it along. Otherwise `throw;` in another
// fiber would rethrow the wrong exception. Boost.Context 1.81 does not switch it.
struct ExceptionsContext {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  // Returns the calling thread's state. The address stays the same as long as the thread lives.
  static ExceptionsContext* OfThread() noexcept {
    return reinterpret_cast<ExceptionsContext*>(abi::__cxa_get_globals());
  }
};

// Everything that must be switched when a thread leaves one call stack for another: machine
// context, sanitizer context and exceptions context. It is saved while the stack is not running.
struct ExecutionContext {
  MachineContext machine;
  ExceptionsContext exceptions;
  [[no_unique_address]] SanitizerContext sanitizer;
};

// Runs on the entered stack once the left stack is saved completely. Other threads may get the left
// stack only then: earlier, one could resume it while it still runs.
using AfterSwitch = void (*)(void* argument, FiberThread& fiber_thread);

// The data with which the entered stack completes the switch. It lies on the left stack.
struct SwitchMessage {
  ExecutionContext* from;
  ExecutionContext* to;
  ExceptionsContext* thread_exceptions;
  FiberThread* fiber_thread;
  AfterSwitch then;
  void* argument;
};

// Completes a switch on the entered stack. Returns the FiberThread that runs it now, which may
// differ from the one before the switch: do not use anything read from a thread before it.
SB_ALWAYS_INLINE FiberThread& Arrive(void* sent) noexcept {
  // A copy: as soon as `then` hands the left stack on, that stack may run elsewhere and end.
  const SwitchMessage message = *static_cast<const SwitchMessage*>(sent);
  message.to->sanitizer.After(message.from->sanitizer);
  *message.thread_exceptions = message.to->exceptions;
  message.then(message.argument, *message.fiber_thread);
  return *message.fiber_thread;
}

// Leaves the running stack, whose context is saved in `from`, for `to`, and runs `then(argument)`
// there. Returns the switching fiber thread when a thread switches back to `from`. Every switch of
// the project calls this. Requires: `thread_exceptions` is the calling thread's.
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
