#pragma once

#include "base/attributes.hpp"
#include "fibers/core/machine_context.hpp"
#include "fibers/core/vector_registers.hpp"

namespace schedbench::fibers {

// CallOverSwitch(function, a, b, c) is function(a, b, c), for a function that leaves the stack and returns when a
// thread comes back to it.
//
// A CPU predicts where a `ret` goes from the latest `call`. After a switch that was a call of the fiber that was left.
// If the two fibers wait at different places in the code, as a sender and a receiver do, the prediction is wrong: some
// 7 ns. So the call is a jump to a stub. The stub calls the function, and returns by a jump, which is predicted from
// the branches before it. All fibers wait below the stub, so that the `ret` into it is predicted right, and calls and
// returns stay paired for the CPU.
//
// Only where the switch itself is inline (machine_context.hpp); elsewhere it is an ordinary call.

#if defined(SB_INLINE_SWITCH)

// Calls rax(rdi, rsi, rdx) and returns by a jump to the address on top of the stack; on arm64
// x3(x0, x1, x2) and to the address in x30. Only CallOverSwitch() jumps to it. Defined in
// fiber_thread.cpp.
extern "C" void schedbench_call_over_switch() noexcept;

// Requires: the calling function, as it is after inlining, also makes an ordinary call. So the compiler keeps nothing
// below the top of the stack. It has no more vector registers than its translation unit: those that an attribute alone
// gives it (target("avx512f")) cannot be named here.
template <typename A, typename B, typename C>
SB_ALWAYS_INLINE void CallOverSwitch(void (*function)(A*, B*, C*) noexcept, A* a, B* b,
                                     C* c) noexcept {
  // Keeps the frame pointer also in a program that is compiled without: a debugger needs it here, because the call
  // information does not show what the instructions push.
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
  // The called function keeps v8 to v15 only in part: their lower halves. hint 36 is `bti j`.
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

// The frame of the call: that of the stub. Requires: `frame` is the function's own.
SB_ALWAYS_INLINE const void* FrameOfCall(const void* frame) noexcept {
  return *static_cast<void* const*>(frame);
}

#else

// An ordinary call.
template <typename A, typename B, typename C>
SB_ALWAYS_INLINE void CallOverSwitch(void (*function)(A*, B*, C*) noexcept, A* a, B* b,
                                     C* c) noexcept {
  function(a, b, c);
}

// The frame of the call. Requires: `frame` is the function's own.
SB_ALWAYS_INLINE const void* FrameOfCall(const void* frame) noexcept {
  return frame;
}

#endif

}  // namespace schedbench::fibers
