#include "platform/signals/preempt_signal.hpp"

#include "base/assert.hpp"
#include "base/attributes.hpp"

#include <cerrno>

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(SB_ASAN) && !defined(SB_TSAN)
#define SB_PREEMPT_SIGNAL 1
#include <cpuid.h>
#endif

namespace schedbench::platform {

namespace {

// Written before the handler is installed.
bool (*may_call_function)(const MachineState& interrupted) noexcept = nullptr;
void (*called_function)() noexcept = nullptr;
struct sigaction action_before;

}  // namespace

#if defined(SB_PREEMPT_SIGNAL)

extern "C" {

void SchedbenchPreempt() noexcept;
void SchedbenchPreemptTrampoline() noexcept;

// The trampoline calls it on the interrupted stack.
void SchedbenchPreempt() noexcept {
  called_function();
}
}

// Acts like a call of the interrupted code: the handler has pushed the return address below the 128
// bytes that the code may use under its stack pointer (the red zone). It saves what the ABI lets a
// call change, and the flags. The mask 0xe7 of XSAVE is x87, SSE, AVX and AVX-512, in the standard
// format less than 2,752 bytes; not AMX, which is large. Its header at 512 must be 0 for XRSTOR.
asm(R"(
  .text
  .p2align 4
  .globl SchedbenchPreemptTrampoline
  .hidden SchedbenchPreemptTrampoline
  .type SchedbenchPreemptTrampoline, @function
SchedbenchPreemptTrampoline:
  .cfi_startproc
  .cfi_signal_frame
  .cfi_def_cfa rsp, 136
  .cfi_offset rip, -136
  pushq %rbp
  .cfi_def_cfa_offset 144
  .cfi_offset rbp, -144
  movq %rsp, %rbp
  .cfi_def_cfa_register rbp
  pushfq
  cld
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  subq $2816, %rsp
  andq $-64, %rsp
  movq $0, 512(%rsp)
  movq $0, 520(%rsp)
  movq $0, 528(%rsp)
  movq $0, 536(%rsp)
  movq $0, 544(%rsp)
  movq $0, 552(%rsp)
  movq $0, 560(%rsp)
  movq $0, 568(%rsp)
  movl $0xe7, %eax
  xorl %edx, %edx
  xsave64 (%rsp)
  call SchedbenchPreempt
  movl $0xe7, %eax
  xorl %edx, %edx
  xrstor64 (%rsp)
  leaq -80(%rbp), %rsp
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  popfq
  popq %rbp
  .cfi_def_cfa rsp, 136
  ret $128
  .cfi_endproc
  .size SchedbenchPreemptTrampoline, . - SchedbenchPreemptTrampoline
)");

#endif

namespace {

void OnSignal(int number, siginfo_t* info, void* context) {
  const int error = errno;
#if defined(SB_PREEMPT_SIGNAL)
  if (may_call_function(StateOfSignal(context))) {
    greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    constexpr greg_t kRedZone = 128;
    registers[REG_RSP] -= kRedZone + static_cast<greg_t>(sizeof(greg_t));
    *reinterpret_cast<greg_t*>(registers[REG_RSP]) = registers[REG_RIP];
    registers[REG_RIP] = reinterpret_cast<greg_t>(&SchedbenchPreemptTrampoline);
    errno = error;
    return;
  }
#endif
  if ((action_before.sa_flags & SA_SIGINFO) != 0) {
    action_before.sa_sigaction(number, info, context);
  } else if (action_before.sa_handler != SIG_DFL && action_before.sa_handler != SIG_IGN) {
    action_before.sa_handler(number);
  }
  errno = error;
}

}  // namespace

bool PreemptSignal::IsSupported() noexcept {
#if defined(SB_PREEMPT_SIGNAL)
  unsigned int eax = 0;
  unsigned int ebx = 0;
  unsigned int ecx = 0;
  unsigned int edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_OSXSAVE) != 0;
#else
  return false;
#endif
}

void PreemptSignal::Install(bool (*may_call)(const MachineState& interrupted) noexcept,
                            void (*function)() noexcept) noexcept {
  SB_ASSERT(IsSupported(), "there is no such signal here");
  may_call_function = may_call;
  called_function = function;
  struct sigaction action{};
  action.sa_sigaction = &OnSignal;
  // A stack of its own, because the fiber's may be small. SA_RESTART: for interrupted system calls.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  SB_ASSERT(sigaction(SIGURG, &action, &action_before) == 0, "SIGURG can be handled");
}

void PreemptSignal::Send(int thread) noexcept {
  syscall(SYS_tgkill, getpid(), thread, SIGURG);
}

}  // namespace schedbench::platform
