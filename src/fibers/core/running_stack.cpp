#include "fibers/core/running_stack.hpp"

#include "fibers/core/continuation.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_facts.hpp"
#include "fibers/core/stack_registry.hpp"

#include <source_location>

namespace schedbench::fibers {

RunningStack RunningStack::OfThisThread(std::uintptr_t stack_pointer) noexcept {
  RunningStack running;
  // Not what the carrier believes: in the middle of a switch the stack pointer decides.
  const StackSpot spot = StackRegistry::Find(stack_pointer);
  if (spot.continuation == nullptr) {
    return running;
  }
  running.lowest = spot.lowest;
  running.top = reinterpret_cast<std::uintptr_t>(spot.continuation);  // the header is at the top
  // A stack that is being left is this thread's until the switch is over, and so is its fiber.
  const Fiber* const fiber = spot.continuation->CurrentFiber();
  if (fiber != nullptr) {
    running.fiber = fiber->Id();
    running.name = fiber->Name().empty() ? "" : fiber->Name().data();
    const std::source_location start = FiberFacts::StartOf(*fiber);
    running.file = start.file_name();
    running.line = start.line();
  }
  return running;
}

}  // namespace schedbench::fibers
