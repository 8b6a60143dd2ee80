#include "fibers/diagnostics/running_stack.hpp"

#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/stack_registry.hpp"
#include "platform/memory/memory.hpp"

#include <source_location>

namespace schedbench::fibers {

namespace {

struct Place {
  const FiberStack* fiber_stack = nullptr;
  std::uintptr_t lowest = 0;
};

Place PlaceOf(std::uintptr_t stack_pointer) noexcept {
  // The header is in the stack's highest page, and its lowest page is a guard. So an address less
  // than a stack minus a page below the header is in this stack, not in the next lower one.
  if (const FiberStack* const current = FiberThread::CurrentFiberStack()) {
    const auto top = reinterpret_cast<std::uintptr_t>(current);
    const std::uintptr_t lowest = top - current->Pool().StackBytes() + platform::kPageBytes;
    if (stack_pointer >= lowest && stack_pointer < top) [[likely]] {
      return {.fiber_stack = current, .lowest = lowest};
    }
  }
  // In the middle of a switch the stack pointer decides, and not the state of the fiber thread.
  const StackSpot spot = StackRegistry::Find(stack_pointer);
  return {.fiber_stack = spot.fiber_stack, .lowest = spot.lowest};
}

}  // namespace

RunningStack RunningStack::OfThisThread(std::uintptr_t stack_pointer) noexcept {
  RunningStack running;
  running.activity = FiberThread::CurrentActivity();
  const Place place = PlaceOf(stack_pointer);
  if (place.fiber_stack == nullptr) {
    return running;
  }
  running.lowest = place.lowest;
  running.top = reinterpret_cast<std::uintptr_t>(place.fiber_stack);  // the header is at the top
  // A stack that is being left, and its fiber, belong to this thread until the switch is over.
  const Fiber* const fiber = place.fiber_stack->CurrentFiber();
  if (fiber != nullptr) {
    running.fiber = fiber->Id();
    running.name = fiber->Name().empty() ? "" : fiber->Name().data();
    const std::source_location start = fiber->StartedAt();
    running.file = start.file_name();
    running.line = start.line();
  }
  return running;
}

}  // namespace schedbench::fibers
