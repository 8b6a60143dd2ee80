#include "fibers/diagnostics/crash_report.hpp"

#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/stack_registry.hpp"
#include "fibers/diagnostics/fiber_facts.hpp"
#include "platform/memory/memory.hpp"

namespace schedbench::fibers {

namespace {

using platform::Hex;
using platform::RawWriter;

constexpr std::uintptr_t kNullPages = 65536;  // vm.mmap_min_addr: nothing is ever mapped there
constexpr std::uintptr_t kNearStack = 65536;  // a larger frame is probed page by page

void WriteOwner(RawWriter& out, const StackSpot& stack) {
  const FiberFacts fiber = FiberFacts::Of(stack);
  if (fiber.IsFiber()) {
    out << fiber;
  } else {
    out << "a task that is not a fiber";
  }
}

bool IsInGuard(const StackSpot& stack, std::uintptr_t address) {
  return stack.guarded && address - stack.lowest < platform::kPageBytes;
}

// Writes the overflow of a stack, and how to fix it.
void WriteOverflow(RawWriter& out, const StackSpot& stack) {
  out << "stack overflow in ";
  WriteOwner(out, stack);
  out << ": its stack of " << stack.bytes << " bytes is used up\n"
      << "  fix      smaller frames, less recursion, or a larger stacks.bytes in the scheduler's "
         "config\n";
}

// Returns the stack that the thread was on. The thread's own record comes first: a function with a
// large frame moves the stack pointer, perhaps into the next stack, before it touches the guard.
StackSpot CrashedStack(const platform::Crash& crash) {
  const FiberStack* const fiber_stack = FiberThread::CurrentFiberStack();
  if (fiber_stack != nullptr) {
    const StackSpot own = StackRegistry::Find(reinterpret_cast<std::uintptr_t>(fiber_stack));
    if (own.IsStack() && IsInGuard(own, crash.address)) {
      return own;
    }
  }
  return StackRegistry::Find(crash.state.stack_pointer);
}

void WriteAddress(RawWriter& out, const platform::Crash& crash, const StackSpot& running) {
  if (!crash.has_address || crash.kind != platform::CrashKind::kMemory) {
    return;
  }
  out << "  what     ";
  if (crash.address < kNullPages) {
    out << "a null pointer, or a member of an object at one\n";
    return;
  }
  const StackSpot hit = StackRegistry::Find(crash.address);
  if (!hit.IsStack()) {
    const std::uintptr_t distance = crash.address > crash.state.stack_pointer
                                        ? crash.address - crash.state.stack_pointer
                                        : crash.state.stack_pointer - crash.address;
    out << "the address is not in the stack of a fiber";
    if (!running.IsStack() && distance < kNearStack) {
      out << ", and near the stack pointer: the thread's own stack may be used up";
    }
    out << "\n";
    return;
  }
  if (IsInGuard(hit, crash.address)) {
    if (hit.lowest == running.lowest) {
      WriteOverflow(out, hit);
    } else {
      out << "the address is in the guard page of another stack, that of ";
      WriteOwner(out, hit);
      out << ": a bad pointer\n";
    }
    return;
  }
  out << "the address is inside the stack of ";
  WriteOwner(out, hit);
  out << "\n";
}

}  // namespace

void WriteCrashedFiber(RawWriter& out, const platform::Crash& crash) noexcept {
  const StackSpot running = CrashedStack(crash);
  WriteAddress(out, crash, running);
  out << "  running  ";
  if (!running.IsStack()) {
    out << "no fiber: the stack pointer " << Hex{crash.state.stack_pointer}
        << " is not in the stack of a fiber\n";
    return;
  }
  const FiberFacts fiber = FiberFacts::Of(running);
  WriteOwner(out, running);
  if (fiber.IsFiber()) {
    out << ", started at " << fiber.file << ":" << fiber.line;
  }
  out << "\n  stack    " << Hex{running.lowest} << " to " << Hex{running.lowest + running.bytes}
      << ", stack pointer " << Hex{crash.state.stack_pointer} << "\n";
  if (!running.guarded) {
    out << "           no guard page (stacks.guard=none): another fiber may have overflowed into "
           "this stack\n";
  }
}

}  // namespace schedbench::fibers
