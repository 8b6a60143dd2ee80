#pragma once

#include "base/attributes.hpp"
#include "fibers/core/machine_context.hpp"
#include "fibers/core/vector_registers.hpp"

namespace schedbench::fibers {

// CallOverSwitch(function, a, b, c) calls function(a, b, c), which leaves the stack and returns
// when a thread comes back to it.
//
// A CPU predicts the target of a `ret` from the latest `call`. After a switch, the latest call was
// made by the fiber that was left. If the two fibers wait at different points of the code, as a
// sender and a receiver do, the prediction fails, which costs some 7 ns. So the call is a jump to a
// stub. The stub calls the function and returns by a jump, which is predicted from the branches
// before it. All fibers wait below the stub, so the `ret` into it is predicted right, and calls and
// returns stay paired for the CPU. Without an inline switch it is an ordinary call.

#if defined(SB_INLINE_SWITCH)

// Calls rax(rdi, rsi, rdx) and returns by a jump to the address on top of the stack; on arm64 it
// calls x3(x0, x1, x2) and returns to the address in x30. Only CallOverSwitch() jumps to it. It is
// defined in fiber_thread.cpp.
extern "C" void schedbench_call_over_switch() noexcept;

// Requires: after inlining, the calling function also makes an ordinary call, so that the compiler
// keeps nothing below the top of the stack. It uses only the vector registers of its translation
// unit: those that only an attribute enables (target("avx512f")) cannot be named here.
template <typename A, typename B, typename C>
SB_ALWAYS_INLINE void CallOverSwitch(void (*function)(A*, B*, C*) noexcept, A* a, B* b,
                                     C* c) noexcept {
  // Keeps the frame pointer also in a program that is compiled without it. A debugger needs it
  // here, because the call frame information does not show what the instructions push.
  void* frame = __builtin_frame_address(0);
#if defined(__x86_64__)
  asm volatile(
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rcx\n\t"
      "jmp schedbench_call_over_switch@PLT\n\t"
      "1:\n\t"
      : "+a"(function), "+D"(a), "+S"(b), "+d"(c), "+c"(frame)
      :
      : "r8", "r9", "r10", "r11", SB_VECTOR_REGISTERS, "memory", "cc");
#else
  register A* first asm("x0") = a;
  register B* second asm("x1") = b;
  register C* third asm("x2") = c;
  register auto* called asm("x3") = function;
  // The called function preserves only the lower halves of v8 to v15. hint 36 is `bti j`.
  asm volatile(
      "adr x30, 1f\n\t"
      "b schedbench_call_over_switch\n\t"
      "1:\n\t"
      "hint #36\n\t"
      : "+r"(first), "+r"(second), "+r"(third), "+r"(called), "+r"(frame)
      :
      : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x18", "x30", SB_VECTOR_REGISTERS, "memory", "cc");
#endif
}

// Returns the frame of the call, which is the stub's. Requires: `frame` is the function's own.
SB_ALWAYS_INLINE const void* FrameOfCall(const void* frame) noexcept {
  return *static_cast<void* const*>(frame);
}

#else

// Calls the function directly, because this build has no stub.
template <typename A, typename B, typename C>
SB_ALWAYS_INLINE void CallOverSwitch(void (*function)(A*, B*, C*) noexcept, A* a, B* b,
                                     C* c) noexcept {
  function(a, b, c);
}

// Returns the frame of the call. Requires: `frame` is the function's own.
SB_ALWAYS_INLINE const void* FrameOfCall(const void* frame) noexcept {
  return frame;
}

#endif

}  // namespace schedbench::fibers
