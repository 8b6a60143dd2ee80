#pragma once

#include "platform/signals/machine_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedbench::profile {

// The result of a walk over a stack.
struct Walk {
  std::size_t calls = 0;   // written calls
  bool truncated = false;  // there are more calls, or the chain is broken
};

// The end of a whole chain of frames.
enum class Base {
  kAtTop,    // at the top of a fiber's stack
  kAnywhere  // a thread's own stack begins with code that may lack frames
};

// Follows the frame pointers of an interrupted thread and writes its address and then its return
// addresses, innermost first. Reads memory only between the stack pointer and `top`, and only if
// the stack pointer is in [lowest, top); otherwise it writes one address. The chain ends at a frame
// pointer of 0 in the base of the stack, `base`. If the register does not lead there, the walk
// begins at the first word on the stack that does: the frame pointer that code without one has
// saved, or that a switch is about to load. The caller of a function that lacks its frame is
// missing: CallFrames finds it. Async-signal-safe; some nanoseconds for each call.
Walk WalkStack(const platform::MachineState& interrupted, std::uintptr_t lowest, std::uintptr_t top,
               std::span<std::uintptr_t> innermost_first, Base base = Base::kAtTop) noexcept;

// Copies words, which other code writes. Requires: they are in the stack. Async-signal-safe.
void ReadStack(std::uintptr_t stack_pointer, std::span<std::uint64_t> words) noexcept;

}  // namespace schedbench::profile
