#include "fibers/core/continuation.hpp"

#include <cstdint>
#include <new>

#include "fibers/core/carrier.hpp"
#include "platform/memory.hpp"

namespace schedbench::fibers {

// First function on a new stack, in C linkage for the entry code below.
extern "C" [[gnu::used]] void SchedbenchEnterContinuation(
    boost::context::detail::fcontext_t context, void* data) noexcept;

namespace {

#if defined(__x86_64__)
// Ends the chain of frame pointers and the call frame information, so that perf, debuggers and our own
// unwinder stop here: Boost.Context leaves an address of its own in rbp. The arguments stay where they are.
asm(R"(
  .text
  .p2align 4
  .type schedbench_stack_base, @function
schedbench_stack_base:
  .cfi_startproc
  .cfi_undefined rip
  .cfi_undefined rbp
  xorl %ebp, %ebp
  subq $8, %rsp
  call SchedbenchEnterContinuation
  ud2
  .cfi_endproc
  .size schedbench_stack_base, . - schedbench_stack_base
)");
extern "C" void schedbench_stack_base(boost::context::detail::transfer_t transfer);
constexpr auto* kStackBase = &schedbench_stack_base;
#else
void StackBase(boost::context::detail::transfer_t transfer) {
  SchedbenchEnterContinuation(transfer.fctx, transfer.data);
}
constexpr auto* kStackBase = &StackBase;
#endif

}  // namespace

Continuation* Continuation::Create(void* lowest, std::size_t bytes, std::size_t colour,
                                   StackPool& pool) {
  char* const end = static_cast<char*>(lowest) + bytes;
  // On a cache line of its own, in the top page.
  auto place = reinterpret_cast<std::uintptr_t>(end - colour - sizeof(Continuation));
  place &= ~std::uintptr_t{63};
  auto* continuation = new (reinterpret_cast<void*>(place)) Continuation(pool);
  char* const top = reinterpret_cast<char*>(place);
  char* const usable = static_cast<char*>(lowest) + platform::kPageBytes;
  continuation->context.machine = boost::context::detail::make_fcontext(
      top, static_cast<std::size_t>(top - usable), kStackBase);
  continuation->context.sanitizer.Create(usable, static_cast<std::size_t>(end - usable));
  return continuation;
}

void Continuation::Destroy() noexcept {
  context.sanitizer.Destroy();
  this->~Continuation();
}

extern "C" void SchedbenchEnterContinuation(boost::context::detail::fcontext_t context,
                                            void* data) noexcept {
  Carrier& carrier = Arrive({.fctx = context, .data = data});
  carrier.Running().Loop();
}

void Continuation::Loop() noexcept {
  // Each turn may run on another thread than the one before: everything is read anew.
  for (;;) {
    Carrier& carrier = *Carrier::Current();
    executors::TaskBase* task = carrier.NextTask();
    if (task == nullptr) {
      carrier.LeaveLoop(*this);
      continue;
    }
    task->Run();
    if (taken_up_again) {
      taken_up_again = false;
      continue;
    }
    Carrier::Current()->TaskDone();
  }
}

}  // namespace schedbench::fibers
