#pragma once

#include "base/attributes.hpp"

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(SB_BOOST_SWITCH)
#define SB_INLINE_SWITCH 1
#else
#include <boost/context/detail/fcontext.hpp>
#endif

namespace schedbench::fibers {

// The first function on each stack; must not return. Defined in fiber_stack.cpp.
extern "C" void SchedbenchEnterStack(void* message) noexcept;

// The registers of a call stack that is not running, kept on that stack; here is its stack pointer.
//
// Two implementations with one meaning. The inline one (x86-64) lets the compiler save what it needs: the
// switch is no call, so that the CPU's return predictor, which pairs calls with returns, stays in step, and
// the returns that follow a switch are predicted. Boost.Context serves all other machines, and the build
// option SCHEDBENCH_SWITCH=boost. `make bench` shows both.
//
// Rounding mode and exception masks stay with the stack, as the ABI requires of a call that returns, where they
// were set by fesetround and the like, which set the x87 control word alike: that word is compared at each
// switch. Reading MXCSR itself takes longer than the rest of the switch. So the inline switch leaves what only
// MXCSR has, flush-to-zero and the sticky flags, with the thread.
class MachineContext {
 public:
  // Prepares a stack that grows down from `top` (16-aligned), `bytes` long. It begins with
  // SchedbenchEnterStack(message), below, with the message that the first Switch() to it carries.
  static MachineContext Make(void* top, std::size_t bytes) noexcept;

  // Leaves the running stack, which is saved in `from`, for `to`. Returns, when a thread switches back to `from`, the message
  // of that switch.
  SB_ALWAYS_INLINE static void* Switch(MachineContext& from, MachineContext& to,
                                       void* message) noexcept;

 private:
#if defined(SB_INLINE_SWITCH)
  SB_ALWAYS_INLINE static std::uint16_t FloatingPointControl() noexcept {
    std::uint16_t word;
    asm volatile("fnstcw %0" : "=m"(word));
    return word;
  }

  static void RestoreFloatingPointControl(std::uint16_t word) noexcept;

  void* stack_pointer_ = nullptr;
#else
  struct Message {
    MachineContext* from;
    void* payload;
  };
  boost::context::detail::fcontext_t context_ = nullptr;

  static void Enter(boost::context::detail::transfer_t transfer) noexcept;

  static void* Receive(boost::context::detail::transfer_t transfer) noexcept {
    const Message message = *static_cast<Message*>(transfer.data);
    message.from->context_ = transfer.fctx;
    return message.payload;
  }
#endif
};

#if defined(SB_INLINE_SWITCH)

SB_ALWAYS_INLINE void* MachineContext::Switch(MachineContext& from, MachineContext& to,
                                              void* message) noexcept {
  const std::uint32_t own_control = FloatingPointControl();
  // Arrives with the message: the word of the stack that was left, which is still that of the thread.
  std::uint32_t control = own_control;
  void** save = &from.stack_pointer_;
  void* target = to.stack_pointer_;
  // Leaves the frame pointer and the address to continue at on the stack. The 128 bytes below the stack pointer
  // may be in use (red zone).
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
      : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",  //
        "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
#if defined(__AVX512F__)
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",
        "k6", "k7",
#endif
        "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "memory", "cc");
  if (control != own_control) [[unlikely]] {
    RestoreFloatingPointControl(static_cast<std::uint16_t>(own_control));
  }
  return message;
}

#else

SB_ALWAYS_INLINE void* MachineContext::Switch(MachineContext& from, MachineContext& to,
                                              void* message) noexcept {
  Message note{.from = &from, .payload = message};
  return Receive(boost::context::detail::jump_fcontext(to.context_, &note));
}

#endif

}  // namespace schedbench::fibers
