#pragma once

#include "base/attributes.hpp"
#include "fibers/core/vector_registers.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

// The inline switch of x86-64. The registers lie on their stack, and this object holds its stack
// pointer. The ABI requires that a call keeps rounding mode and exception masks, so they stay with
// the stack if fesetround() or a similar function set them. Such functions also set the x87 control
// word, which each switch compares. Reading MXCSR itself takes longer than the rest of the switch.
// So the flags that only MXCSR has, flush-to-zero and the sticky flags, stay with the thread.
class MachineContext {
 public:
  // Prepares a stack, as machine_context.hpp describes.
  static MachineContext Make(void* top, std::size_t bytes) noexcept;

  // Switches from one stack to another, as machine_context.hpp describes.
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
  // After the switch it holds the word of the left stack, which the thread still uses.
  std::uint32_t control = own_control;
  void** save = &from.stack_pointer_;
  void* target = to.stack_pointer_;
  // Skips the red zone (128 bytes), then pushes the frame pointer and the address to continue at.
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
