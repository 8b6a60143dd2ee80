#include "fibers/core/call_over_switch.hpp"

namespace schedbench::fibers {

#if defined(SB_INLINE_SWITCH)

// With a frame pointer, as all code has that a fiber may wait in. Not `leave` at the end: then the stack pointer, and the
// address to return to, would have to wait for the frame pointer, which has just been read from memory.
asm(R"(
  .text
  .p2align 4
  .globl schedbench_call_over_switch
  .hidden schedbench_call_over_switch
  .type schedbench_call_over_switch, @function
schedbench_call_over_switch:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register rbp
  testl $15, %esp
  jnz 1f
  call *%rax
  popq %rbp
  .cfi_def_cfa rsp, 8
  popq %rcx
  .cfi_def_cfa_offset 0
  .cfi_register rip, rcx
  jmp *%rcx
1:
  ud2
  .cfi_endproc
  .size schedbench_call_over_switch, . - schedbench_call_over_switch
)");

#endif

}  // namespace schedbench::fibers
