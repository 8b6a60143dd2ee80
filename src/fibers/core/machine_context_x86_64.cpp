#include "fibers/core/machine_context.hpp"

#if defined(SB_INLINE_SWITCH) && defined(__x86_64__)

namespace schedbench::fibers {

// Base of each stack. It ends the chain of frame pointers and the call frame information, so that
// perf, debuggers and our own unwinder stop here. Switch() leaves the message in rbx.
asm(R"(
  .text
  .p2align 4
  .type schedbench_stack_base, @function
schedbench_stack_base:
  .cfi_startproc
  .cfi_undefined rip
  .cfi_undefined rbp
  xorl %ebp, %ebp
  movq %rbx, %rdi
  call SchedbenchEnterStack
  ud2
  .cfi_endproc
  .size schedbench_stack_base, . - schedbench_stack_base
)");
extern "C" void schedbench_stack_base();

MachineContext MachineContext::Make(void* top, std::size_t /*bytes*/) noexcept {
  // After Switch() pops the address, the base calls with a 16-aligned stack, as the ABI requires.
  auto** place = static_cast<void**>(top) - 1;
  *place = reinterpret_cast<void*>(&schedbench_stack_base);
  MachineContext context;
  context.stack_pointer_ = place;
  return context;
}

void MachineContext::RestoreFloatingPointControl(std::uint16_t word) noexcept {
  // MXCSR has the same two settings as the x87 control word, at other bits: six exception masks
  // (bits 0-5 there, 7-12 here) and the rounding mode (bits 10-11 there, 13-14 here).
  constexpr std::uint32_t kSettings = 0x7f80;
  std::uint32_t mxcsr;
  asm volatile("fldcw %0" : : "m"(word));
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  mxcsr = (mxcsr & ~kSettings) | ((word & 0x3fU) << 7U) | ((word & 0xc00U) << 3U);
  asm volatile("ldmxcsr %0" : : "m"(mxcsr));
}

}  // namespace schedbench::fibers

#endif
