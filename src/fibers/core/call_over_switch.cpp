#include "fibers/core/call_over_switch.hpp"

namespace schedbench::fibers {

#if defined(SB_INLINE_SWITCH)

// With a frame pointer, as all code has that a fiber may wait in. `and`: the jump comes from a function that need not have aligned
// the stack.
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
  andq $-16, %rsp
  call *%rax
  leave
  .cfi_def_cfa rsp, 8
  popq %rcx
  .cfi_def_cfa_offset 0
  .cfi_register rip, rcx
  jmp *%rcx
  .cfi_endproc
  .size schedbench_call_over_switch, . - schedbench_call_over_switch
)");

#endif

}  // namespace schedbench::fibers
