#pragma once

#include "base/attributes.hpp"
#include "fibers/core/machine_context.hpp"

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

// Calls rax(rdi, rsi, rdx); returns by a jump to the address on top of the stack. By CallOverSwitch() alone. In
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
  asm volatile(
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rcx\n\t"
      "jmp schedbench_call_over_switch@PLT\n\t"
      "1:\n\t"
      : "+a"(function), "+D"(a), "+S"(b), "+d"(c), "+c"(frame)
      :
      : "r8", "r9", "r10", "r11",  //
        "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
#if defined(__AVX512F__)
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",
        "k6", "k7",
#endif
        "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "memory", "cc");
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
