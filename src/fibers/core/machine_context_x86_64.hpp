#pragma once

#include "base/attributes.hpp"
#include "fibers/core/vector_registers.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

// The inline switch of x86-64: the registers lie on their stack, here is its stack pointer.
//
// Rounding mode and exception masks stay with the stack, as the ABI requires of a call that
// returns, where they were set by fesetround and the like, which set the x87 control word alike:
// that word is compared at each switch. Reading MXCSR itself takes longer than the rest of the
// switch. So the inline switch leaves what only MXCSR has, flush-to-zero and the sticky flags, with
// the thread.
class MachineContext {
 public:
  // Prepares a stack: machine_context.hpp.
  static MachineContext Make(void* top, std::size_t bytes) noexcept;

  // Goes from one stack to another: machine_context.hpp.
  SB_ALWAYS_INLINE static void* Switch(MachineContext& from, MachineContext& to,
                                       void* message) noexcept;

 private:
  SB_ALWAYS_INLINE static std::uint16_t FloatingPointControl() noexcept {
    std::uint16_t word;
    asm volatile("fnstcw %0" : "=m"(word));
    return word;
  }

  static void RestoreFloatingPointControl(std::uint16_t word) noexcept;

  void* stack_pointer_ = nullptr;
};

SB_ALWAYS_INLINE void* MachineContext::Switch(MachineContext& from, MachineContext& to,
                                              void* message) noexcept {
  const std::uint32_t own_control = FloatingPointControl();
  // Arrives with the message: the word of the stack that was left, which is still that of the
  // thread.
  std::uint32_t control = own_control;
  void** save = &from.stack_pointer_;
  void* target = to.stack_pointer_;
  // Leaves the frame pointer and the address to continue at on the stack. The 128 bytes below the
  // stack pointer may be in use (red zone).
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%[save])\n\t"
      "movq %[target], %%rsp\n\t"
      "popq %%rax\n\t"
      "jmp *%%rax\n\t"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp\n\t"
      : [save] "+&D"(save), [target] "+&S"(target), "+&b"(message), "+&d"(control)
      :
      : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", SB_VECTOR_REGISTERS,
        "memory", "cc");
  if (control != own_control) [[unlikely]] {
    RestoreFloatingPointControl(static_cast<std::uint16_t>(own_control));
  }
  return message;
}

}  // namespace schedbench::fibers
