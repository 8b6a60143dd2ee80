#include "tests/sim/machine/crash.hpp"

#include "tests/sim/machine/machine.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>

namespace schedbench::sim {

namespace {

// Leaves the handler by a jump to the explorer, as longjmp would: the model's stack is given up.
void OnFault(int signal, siginfo_t* info, void* /*context*/) {
  Machine& machine = Machine::Instance();
  if (!machine.IsRunning()) {
    std::signal(signal, SIG_DFL);
    return;  // the same instruction faults again
  }
  machine.Fail("thread %u: memory fault at %p", machine.CurrentThread(), info->si_addr);
}

}  // namespace

void CatchCrashes() {
  constexpr std::size_t kBytes = std::size_t{64} << 10U;
  stack_t stack{};
  stack.ss_sp = std::malloc(kBytes);
  stack.ss_size = kBytes;
  ::sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = &OnFault;
  // SA_NODEFER: the handler is not returned from, so that nothing would unblock the signal.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  std::set_terminate([] {
    Machine& machine = Machine::Instance();
    if (!machine.IsRunning()) {
      std::abort();
    }
    machine.Fail("thread %u calls std::terminate", machine.CurrentThread());
  });
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace schedbench::sim
