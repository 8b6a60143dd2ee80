#include "platform/threads/this_thread.hpp"

#include <cstddef>

#include <pthread.h>
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

StackBounds OwnStack() noexcept {
  StackBounds bounds;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void* lowest = nullptr;
    std::size_t bytes = 0;
    if (::pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
      bounds.lowest = reinterpret_cast<std::uintptr_t>(lowest);
      bounds.top = bounds.lowest + bytes;
    }
    ::pthread_attr_destroy(&attributes);
  }
  return bounds;
}

std::uint32_t CurrentCpu() noexcept {
  const int cpu = ::sched_getcpu();
  return cpu < 0 ? 0 : static_cast<std::uint32_t>(cpu);
}

}  // namespace schedbench::platform
