#pragma once

#include "base/attributes.hpp"
#include "fibers/core/exceptions_context.hpp"
#include "fibers/core/machine_context.hpp"
#include "fibers/core/sanitizer_context.hpp"

namespace schedbench::fibers {

class FiberThread;

// Execution context = machine context + sanitizer context + exceptions context: all that must change hands
// when a thread leaves one call stack for another. Saved while the stack is not running.
struct ExecutionContext {
  MachineContext machine;
  ExceptionsContext exceptions;
  [[no_unique_address]] SanitizerContext sanitizer;
};

// Something to do on the stack that is entered, once the stack that was left is saved as a whole. Only there
// may the left one be handed to others: earlier, another thread could resume it while it still runs.
using AfterSwitch = void (*)(void* argument, FiberThread& fiber_thread);

// What the stack that is left tells the stack that is entered. Lies on the stack that is left.
struct SwitchMessage {
  ExecutionContext* from;
  ExecutionContext* to;
  ExceptionsContext* thread_exceptions;
  FiberThread* fiber_thread;
  AfterSwitch then;
  void* argument;
};

// Completes a switch on the entered stack. Returns the fiber thread (thread) that runs it now, which may be
// another than the one that ran it before: nothing that was read from a thread may be used after this.
SB_ALWAYS_INLINE FiberThread& Arrive(void* message) noexcept {
  // A copy: as soon as `then` hands the left stack on, it may run elsewhere and end.
  const SwitchMessage departure = *static_cast<const SwitchMessage*>(message);
  departure.to->sanitizer.After(departure.from->sanitizer);
  *departure.thread_exceptions = departure.to->exceptions;
  departure.then(departure.argument, *departure.fiber_thread);
  return *departure.fiber_thread;
}

// Leaves the running stack, whose context goes to `from`, for `to`; runs `then(argument)` there. Returns
// when somebody switches back to `from`, with the fiber thread that did.
// Every switch of the project goes through here. Requires: `thread_exceptions` is the calling thread's.
SB_ALWAYS_INLINE FiberThread& Switch(ExecutionContext& from, ExecutionContext& to,
                                     ExceptionsContext* thread_exceptions,
                                     FiberThread& fiber_thread, AfterSwitch then,
                                     void* argument) noexcept {
  from.exceptions = *thread_exceptions;
  SwitchMessage departure{.from = &from,
                          .to = &to,
                          .thread_exceptions = thread_exceptions,
                          .fiber_thread = &fiber_thread,
                          .then = then,
                          .argument = argument};
  from.sanitizer.Before(to.sanitizer);
  return Arrive(MachineContext::Switch(from.machine, to.machine, &departure));
}

}  // namespace schedbench::fibers
