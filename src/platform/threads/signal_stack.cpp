#include "platform/threads/signal_stack.hpp"

#include "platform/memory/memory.hpp"

#include <algorithm>

#include <signal.h>
#include <sys/auxv.h>

#if !defined(AT_MINSIGSTKSZ)
#define AT_MINSIGSTKSZ 51
#endif

namespace schedbench::platform {

namespace {

constexpr std::size_t kHandlerBytes = 65536;
// If a report crashes, the handler continues with its next part (crash_handler.cpp).
constexpr std::size_t kNestedSignals = 5;

}  // namespace

std::size_t SignalStack::Bytes() noexcept {
  const std::size_t frame =
      std::max<std::size_t>(static_cast<std::size_t>(::getauxval(AT_MINSIGSTKSZ)), MINSIGSTKSZ);
  const std::size_t bytes = kHandlerBytes + kNestedSignals * frame;
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

SignalStack::SignalStack() noexcept {
  stack_t present{};
  if (::sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  // The lowest page is a guard: a handler that overflows ends the process and corrupts nothing.
  memory_ = ReserveMemory(kPageBytes + Bytes());
  if (memory_ == nullptr) {
    return;
  }
  InstallGuard(memory_, GuardKind::kProtected);
  const stack_t own{
      .ss_sp = static_cast<char*>(memory_) + kPageBytes, .ss_flags = 0, .ss_size = Bytes()};
  ::sigaltstack(&own, nullptr);
}

SignalStack::~SignalStack() {
  if (memory_ == nullptr) {
    return;
  }
  stack_t present{};
  ::sigaltstack(nullptr, &present);
  if (present.ss_sp == static_cast<char*>(memory_) + kPageBytes) {
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    ::sigaltstack(&none, nullptr);
  }
  ReleaseMemory(memory_, kPageBytes + Bytes());
}

}  // namespace schedbench::platform
