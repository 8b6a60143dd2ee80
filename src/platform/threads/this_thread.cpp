#include "platform/threads/this_thread.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

int ProcessId() noexcept {
  return static_cast<int>(::getpid());
}

int KernelThreadId() noexcept {
  return static_cast<int>(::syscall(SYS_gettid));
}

std::uint32_t CurrentCpu() noexcept {
  const int cpu = ::sched_getcpu();
  return cpu < 0 ? 0 : static_cast<std::uint32_t>(cpu);
}

}  // namespace schedbench::platform
