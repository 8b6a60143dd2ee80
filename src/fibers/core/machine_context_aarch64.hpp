#pragma once

#include "base/attributes.hpp"
#include "fibers/core/vector_registers.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::fibers {

// The inline switch of arm64. The stack pointer does not change while a stack is left, so the call
// frame information of the function stays right. What the compiler cannot save lies here and not on
// the stack: the frame pointer, and x19, by which clang finds the variables of frames with
// alloca(). FPCR (rounding, flush-to-zero) stays with the stack; FPSR, the sticky flags, stays with
// the thread.
class MachineContext {
 public:
  // Prepares a stack, as machine_context.hpp describes.
  static MachineContext Make(void* top, std::size_t bytes) noexcept;

  // Switches from one stack to another, as machine_context.hpp describes.
  SB_ALWAYS_INLINE static void* Switch(MachineContext& from, MachineContext& to,
                                       void* message) noexcept;

 private:
  SB_ALWAYS_INLINE static std::uint64_t FloatingPointControl() noexcept {
    std::uint64_t word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }

  // Switch() accesses these fields by their offsets: 0, 8, 16, 24.
  void* stack_pointer_ = nullptr;
  const void* continue_at_ = nullptr;
  void* frame_pointer_ = nullptr;
  void* x19_ = nullptr;
};

SB_ALWAYS_INLINE void* MachineContext::Switch(MachineContext& from, MachineContext& to,
                                              void* message) noexcept {
  const std::uint64_t own_control = FloatingPointControl();
  register MachineContext* save asm("x0") = &from;
  register MachineContext* target asm("x1") = &to;
  register void* carried asm("x2") = message;
  // After the switch it holds the word of the left stack, which the thread still uses.
  register std::uint64_t control asm("x3") = own_control;
  // hint 36 is `bti j`: with branch target identification, an indirect branch may target this
  // address. Without it the instruction does nothing.
  asm volatile(
      "adr x16, 1f\n\t"
      "mov x17, sp\n\t"
      "stp x17, x16, [%[save]]\n\t"
      "stp x29, x19, [%[save], #16]\n\t"
      "ldp x17, x16, [%[target]]\n\t"
      "ldp x29, x19, [%[target], #16]\n\t"
      "mov sp, x17\n\t"
      "br x16\n\t"
      "1:\n\t"
      "hint #36\n\t"
      : [save] "+r"(save), [target] "+r"(target), "+r"(carried), "+r"(control)
      :
      : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x18", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30",
        SB_VECTOR_REGISTERS, "memory", "cc");
  if (control != own_control) [[unlikely]] {
    asm volatile("msr fpcr, %0" : : "r"(own_control));
  }
  return carried;
}

}  // namespace schedbench::fibers
