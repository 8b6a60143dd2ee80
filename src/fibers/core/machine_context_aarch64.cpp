#include "fibers/core/machine_context.hpp"

#if defined(SB_INLINE_SWITCH) && defined(__aarch64__)

namespace schedbench::fibers {

// Base of each stack. It ends the chain of frame pointers and the call frame information, so that
// perf, debuggers and our own unwinder stop here. Switch() has loaded the frame pointer 0 and
// leaves the message in x2. hint 36 is `bti j`. It is global because g++ takes the address from the
// global offset table, where the assembler would lose the offset of a local symbol.
asm(R"(
  .text
  .p2align 4
  .globl schedbench_stack_base
  .hidden schedbench_stack_base
  .type schedbench_stack_base, %function
schedbench_stack_base:
  .cfi_startproc
  .cfi_undefined x30
  .cfi_undefined x29
  hint #36
  mov x0, x2
  bl SchedbenchEnterStack
  brk #1
  .cfi_endproc
  .size schedbench_stack_base, . - schedbench_stack_base
)");
extern "C" __attribute__((visibility("hidden"))) void schedbench_stack_base();

MachineContext MachineContext::Make(void* top, std::size_t /*bytes*/) noexcept {
  MachineContext context;
  context.stack_pointer_ = top;
  context.continue_at_ = reinterpret_cast<const void*>(&schedbench_stack_base);
  context.frame_pointer_ = nullptr;
  context.x19_ = nullptr;
  return context;
}

}  // namespace schedbench::fibers

#endif
