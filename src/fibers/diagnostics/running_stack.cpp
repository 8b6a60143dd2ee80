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
  // The header is in the stack's highest page, its lowest page is a guard: what is a page less than a stack below the header
  // is this stack, and never the highest page of the one below.
  if (const FiberStack* const current = FiberThread::CurrentFiberStack()) {
    const auto top = reinterpret_cast<std::uintptr_t>(current);
    const std::uintptr_t lowest = top - current->Pool().StackBytes() + platform::kPageBytes;
    if (stack_pointer >= lowest && stack_pointer < top) [[likely]] {
      return {.fiber_stack = current, .lowest = lowest};
    }
  }
  // Not what the fiber thread believes: in the middle of a switch the stack pointer decides.
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
  // A stack that is being left is this thread's until the switch is over, and so is its fiber.
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
