#pragma once

#include "platform/signals/machine_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::profile {

// What was found on a stack.
struct Walk {
  std::size_t calls = 0;   // written
  bool truncated = false;  // there are more, or the chain is broken
};

// Where a chain of frames ends that is whole.
enum class Base {
  kAtTop,    // at the top of a fiber's stack
  kAnywhere  // a thread's own stack begins with code that may have no frames
};

// Follows the frame pointers of an interrupted thread and writes where it was and, after it, where its calls return to,
// innermost first. Reads memory only between the stack pointer and `top`, and only if the stack pointer is in [lowest, top);
// else it writes one address. The chain ends at a frame pointer of 0 in the base of the stack, `base`. Where the register does not
// lead there, the walk begins at the first word on the stack that does: the frame pointer that code without one has saved, or
// that a switch is about to load. Async-signal-safe; some nanoseconds for each call.
// Where a function has no frame, has not made it yet or has removed it, its caller is missing: CallFrames finds it.
Walk WalkStack(const platform::MachineState& interrupted, std::uintptr_t lowest, std::uintptr_t top,
               std::span<std::uintptr_t> innermost_first, Base base = Base::kAtTop) noexcept;

// Copies the words at `stack_pointer`, which other code writes. Requires: they lie within the stack. Async-signal-safe.
void ReadStack(std::uintptr_t stack_pointer, std::span<std::uint64_t> words) noexcept;

}  // namespace schedbench::profile
